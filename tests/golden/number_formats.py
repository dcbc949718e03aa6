"""Rounding to float16, bfloat16 and float32 in float64 arithmetic, by the definition of the formats.

A format has p bits of precision and normal exponents from emin to emax. Near x its values are the multiples of
2^(max(exponent of x, emin) - (p - 1)): below 2^emin these are the subnormals. A value is divided by that step, rounded
to an integer with ties to even, and multiplied back; the step is a power of two, so nothing else is rounded. From half
a step above the largest finite value on the result is infinite. No 16-bit type is used: torch's cast of float64 to
half, for one, goes by way of float32 and rounds twice.
"""
import numpy as np

# bits of precision, smallest and largest exponent of a normal number
FORMATS = {"float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127)}


def round_to(name, values):
    """The nearest values of the format, as float64. NaN and infinities stay."""
    precision, smallest_exponent, largest_exponent = FORMATS[name]
    values = np.asarray(values, dtype=np.float64)
    exponents = np.frexp(values)[1] - 1  # frexp's fraction lies in [1/2, 1)
    step_exponents = np.maximum(exponents, smallest_exponent) - (precision - 1)
    with np.errstate(invalid="ignore"):
        result = np.ldexp(np.rint(np.ldexp(values, -step_exponents)), step_exponents)  # rint: ties to even
    largest = (2.0 - 2.0 ** (1 - precision)) * 2.0**largest_exponent
    return np.where(np.abs(result) > largest, np.copysign(np.inf, result), result)


def check():
    """Compares with numpy's float16, which rounds float64 once, and with bit arithmetic for bfloat16."""
    numbers = np.random.default_rng(1)
    patterns = numbers.integers(0, 2**32, 1_000_000, dtype=np.uint64).astype(np.uint32)
    with np.errstate(all="ignore"):
        singles = patterns.view(np.float32)
        singles = singles[np.isfinite(singles)]
        wide = np.ldexp(numbers.uniform(-2.0, 2.0, 1_000_000), numbers.integers(-27, 17, 1_000_000))
        for values in (singles.astype(np.float64), wide):
            np.testing.assert_array_equal(round_to("float16", values), values.astype(np.float16).astype(np.float64))
            np.testing.assert_array_equal(round_to("float32", values), values.astype(np.float32).astype(np.float64))
        bits = singles.view(np.uint32).astype(np.uint64)
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
        np.testing.assert_array_equal(round_to("bfloat16", singles), bits.astype(np.uint32).view(np.float32))
    for name, (precision, _, largest_exponent) in FORMATS.items():
        edge = (2.0 - 2.0**-precision) * 2.0**largest_exponent
        assert round_to(name, edge) == np.inf and np.isfinite(round_to(name, np.nextafter(edge, 0))), name


if __name__ == "__main__":
    check()
    print("Rounding agrees with numpy's float16 and float32 and with bit arithmetic for bfloat16.")
