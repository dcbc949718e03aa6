#pragma once

namespace halfstep::backend::cpu {

template <class Signature>
class FunctionRef;

/// A reference to something that can be called, for a parameter that outlives no call: unlike std::function it owns
/// nothing, so that passing a lambda never allocates.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
public:
    template <class Callable>
    FunctionRef(const Callable& callable) // NOLINT(google-explicit-constructor): to be passed lambdas
        : m_callable(&callable),
          m_call([](const void* called, Arguments... arguments) -> Result {
              return (*static_cast<const Callable*>(called))(arguments...);
          }) {}

    Result operator()(Arguments... arguments) const { return m_call(m_callable, arguments...); }

private:
    const void* m_callable;
    Result (*m_call)(const void*, Arguments...);
};

} // namespace halfstep::backend::cpu
