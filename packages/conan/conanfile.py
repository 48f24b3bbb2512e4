"""coopc for Conan 2. Untested: no command has verified this recipe (docs/packages.md).

    conan create packages/conan --version 0.1.0

The sources are the tree that contains this recipe. SPIRV-Headers must be 1.4.363 or later; if Conan finds an
older recipe, configuring reports it.
"""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Coopc(ConanFile):
    name = "coopc"
    license = "Apache-2.0"
    description = "GLSL with cooperative matrices and tensor addressing, to SPIR-V"
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        copy(self, "*", root, self.export_sources_folder, excludes=["build/*", ".git/*"])

    def requirements(self):
        self.requires("spirv-headers/[>=1.4.363]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        headers = self.dependencies["spirv-headers"].cpp_info.includedirs[0]
        for name in ("COOPC_TESTS", "COOPC_BENCH", "COOPC_HARNESS"):
            toolchain.cache_variables[name] = False
        toolchain.cache_variables["BUILD_SHARED_LIBS"] = bool(self.options.shared)
        toolchain.cache_variables["COOPC_SPIRV_HEADERS_DIR"] = headers
        toolchain.cache_variables["COOPC_CACHE"] = os.path.join(self.build_folder, "no-cache")
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The package has its own CMake code, with components and coopc_add_shaders.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "coopc"))
