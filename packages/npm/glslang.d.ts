/** The interface of @webgpu/glslang 0.0.15: a program changes the name that it imports. */
import type {SpirvVersion, Stage} from './index';

export type ShaderStage = Exclude<Stage, 'from-source'>;
export type {SpirvVersion};

export interface ResultZeroCopy {
  readonly data: Uint32Array;
  free(): void;
}

export interface Glslang {
  /** A module for Vulkan 1.0 in the version of SPIR-V, '1.0' by default; `debug` adds lines and the source. Throws an Error with the messages. */
  compileGLSL(glsl: string, stage: ShaderStage, debug: boolean, version?: SpirvVersion): Uint32Array;
  /** The same; the data is a copy here. */
  compileGLSLZeroCopy(glsl: string, stage: ShaderStage, debug: boolean, version?: SpirvVersion): ResultZeroCopy;
}

/** Under Node the result can also be used without waiting. */
export default function glslang(): Promise<Glslang> & Partial<Glslang>;
