#pragma once
#include <cstddef>
#include <cuda.h>

namespace halfstep::backend::cuda {

/// The functions of the NVIDIA driver that Halfstep calls, under the driver's own names and versions. They are found
/// at run time, so that the plug-in starts where no driver is. Pointers to device memory are CUdeviceptr.
struct DriverApi {
    CUresult (*init)(unsigned flags);
    CUresult (*driverGetVersion)(int* version);
    CUresult (*getErrorName)(CUresult error, const char** name);
    CUresult (*getErrorString)(CUresult error, const char** text);

    CUresult (*deviceGetCount)(int* count);
    CUresult (*deviceGet)(CUdevice* device, int ordinal);
    CUresult (*deviceGetName)(char* name, int length, CUdevice device);
    CUresult (*deviceGetAttribute)(int* value, CUdevice_attribute attribute, CUdevice device);
    CUresult (*deviceTotalMem)(std::size_t* bytes, CUdevice device);
    CUresult (*deviceGetPciBusId)(char* id, int length, CUdevice device);
    CUresult (*primaryContextRetain)(CUcontext* context, CUdevice device);
    CUresult (*primaryContextRelease)(CUdevice device);
    CUresult (*contextSetCurrent)(CUcontext context);

    CUresult (*memGetInfo)(std::size_t* free, std::size_t* total);
    CUresult (*memAlloc)(CUdeviceptr* memory, std::size_t bytes);
    CUresult (*memFree)(CUdeviceptr memory);
    CUresult (*memcpyHostToDeviceAsync)(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream);
    CUresult (*memcpyDeviceToHostAsync)(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream);
    CUresult (*memsetD8Async)(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream);

    CUresult (*streamCreate)(CUstream* stream, unsigned flags);
    CUresult (*streamDestroy)(CUstream stream);
    CUresult (*streamSynchronize)(CUstream stream);

    CUresult (*moduleLoadData)(CUmodule* module, const void* image);
    CUresult (*moduleUnload)(CUmodule module);
    CUresult (*moduleGetFunction)(CUfunction* function, CUmodule module, const char* name);
    CUresult (*launchKernel)(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                             unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream,
                             void** parameters, void** extra);
};

} // namespace halfstep::backend::cuda
