#pragma once

/// A program with watched_new.cpp in it has an `operator new` that can be watched and refused.
namespace halfstep::tests {

/// Asked before each allocation, on the thread that allocates: false refuses it as the system does (std::bad_alloc).
/// Must not allocate itself.
using AllocationWatch = bool (*)();
void watchAllocations(AllocationWatch watch);

} // namespace halfstep::tests
