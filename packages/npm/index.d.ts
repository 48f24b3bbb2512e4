/** GLSL with cooperative matrices and tensor addressing to SPIR-V, and checks and reflection of SPIR-V modules. */

/** A module: words in this machine's byte order, or the bytes of a file. */
export type Module = Uint32Array | ArrayBuffer | ArrayBufferView;

export type Stage =
  | 'from-source' | 'compute' | 'vertex' | 'fragment' | 'geometry' | 'tesscontrol' | 'tesseval' | 'task' | 'mesh'
  | 'raygen' | 'intersect' | 'anyhit' | 'closest' | 'miss' | 'callable';
export type TargetEnv = 'vulkan1.0' | 'vulkan1.1' | 'vulkan1.2' | 'vulkan1.3' | 'vulkan1.4' | 'opengl4.5';
export type SpirvVersion = '1.0' | '1.1' | '1.2' | '1.3' | '1.4' | '1.5' | '1.6';
/** `none` is -O0, `speed` is -O, `size` is -Os. */
export type Optimization = 'none' | 'speed' | 'size';
export type Output = 'module' | 'assembly' | 'preprocessed' | 'dependencies';

/** The result of looking up an #include: a text, or a text and its name for messages; nothing if there is no such file. */
export type Included = string | { name: string; text: string } | null | undefined;
/** Called while the compile runs, so it answers at once. What it throws ends in the same error of `compile`. */
export type Include = (name: string, where: { from: string; angled: boolean; depth: number }) => Included;

export interface CompileOptions {
  /** What messages call the text; "shader" by default. */
  name?: string;
  /** Compute by default. */
  stage?: Stage;
  /** vulkan1.0 by default. */
  targetEnv?: TargetEnv;
  /** That of the environment by default. */
  spirvVersion?: SpirvVersion;
  optimization?: Optimization;
  output?: Output;
  entryPoint?: string;
  /** Macros; true defines one as 1, false and null undefine one. */
  defines?: Record<string, string | number | boolean | null>;
  /** Limits of the language (gl_MaxComputeWorkGroupSize, ...) by name. */
  limits?: Record<string, number>;
  /** Warnings by their identifiers. */
  warnings?: Record<string, boolean>;
  /** Texts by the names that #include has, or a function. Without it #include is an error. */
  include?: Include | Map<string, Included> | Record<string, Included>;
  /** The generator's word of the module's header. */
  generator?: number;
  /** The language version whatever #version says. */
  forceVersion?: { version: number; es?: boolean };
  /** Lines, columns and the source (-g). */
  debugInfo?: boolean;
  suppressWarnings?: boolean;
  warningsAsErrors?: boolean;
  /** Warnings about what a specification forbids are errors. */
  strict?: boolean;
  autoBindUniforms?: boolean;
  autoMapLocations?: boolean;
  nanClamp?: boolean;
  invertY?: boolean;
  preserveBindings?: boolean;
  hlslOffsets?: boolean;
  autoCombinedImageSampler?: boolean;
  /** Without optimization too, resources and constants that nothing uses are left out. */
  noUnusedInterface?: boolean;
  /** Without optimization too, `debugInfo` means lines and the source alone. */
  noDebugScopes?: boolean;
}

export type Status =
  | 'ok' | 'input-error' | 'bad-argument' | 'out-of-memory' | 'helper-missing' | 'internal' | 'cancelled' | 'callback-failed';

/** As coopc --diagnostics-format=json writes it. */
export interface Diagnostic {
  id: string;
  severity: 'note' | 'warning' | 'error' | 'fatal';
  message: string;
  [member: string]: unknown;
}

export interface Result {
  status: Status;
  /** The status is `ok`. */
  ok: boolean;
  words: Uint32Array | undefined;
  /** Assembly, or the preprocessed text. */
  text: string;
  /** Diagnostics with the line and a caret. */
  messages: string;
  diagnostics: Diagnostic[];
  /** The names of all files read, the main one first. */
  dependencies: string[];
}

/** SpecIds and values: whole numbers are the constant's bits. */
export type Specialization = Record<number, number | bigint | boolean>;

export interface ValidateOptions {
  /** What the answer calls the module; "module" by default. */
  name?: string;
  /** A device profile: the name of one that ships (h200, lavapipe), its text, or the object that the text describes. */
  profile?: string | object;
  /** Identifiers of rules whose findings are left out. */
  suppress?: string[];
  specialization?: Specialization;
  /** Findings that no specification asks for; true by default. */
  advice?: boolean;
  warningsAsErrors?: boolean;
  /** More findings are only counted (`dropped`); 1000 by default. */
  maxFindings?: number;
}

export interface Finding {
  rule: string;
  level: 'module' | 'device' | 'advice';
  severity: 'note' | 'warning' | 'error';
  message: string;
  /** The text that says so. */
  clause: string;
  /** Of the instruction's first word, or where reading stopped. */
  word: number;
  /** Its index in the module. */
  instruction?: number;
  disassembly?: string;
  source?: { file: string; line: number; column: number };
  notes?: string[];
}

/** As coopval --no-core --format json writes it: the rules of core SPIR-V need SPIRV-Tools, which is not in this package. */
export interface ValidateResult {
  /** A readable module without findings of severity `error`. */
  ok: boolean;
  file: string;
  readable: boolean;
  /** Why the options could not be used; nothing was checked then. */
  error?: string;
  unknownSpecIds?: number[];
  dropped: number;
  findings: Finding[];
}

export interface ReflectOptions {
  /** As in ValidateOptions: adds the member `device`. */
  profile?: string | object;
  specialization?: Specialization;
}

/** The document that reflection.schema.json of coopc's documentation describes; of what is not a module, `error` alone. */
export interface Reflection {
  error?: { message: string; word: number };
  [member: string]: any;
}

/** Calls run at once, in the thread that makes them; use a Worker for large texts. */
export interface Coopc {
  /** "0.1.0" */
  readonly version: string;
  /** What the module holds of the engine's memory now; it grows with the largest text, and does not shrink. */
  readonly memoryBytes: number;
  /**
   * Compiles a text. Wrong programs are results. Options that mean nothing throw TypeError or RangeError; memory or stack
   * that the engine does not give throws Error, after which further calls work.
   */
  compile(source: string, options?: CompileOptions): Result;
  /** Checks a module against the rules of cooperative matrices, tensor addressing and cooperative vectors. */
  validate(module: Module, options?: ValidateOptions): ValidateResult;
  /** What a program must know of a module to make pipelines of it. */
  reflect(module: Module, options?: ReflectOptions): Reflection;
  /** A module as text (`text` of the result). */
  disassemble(module: Module): Result;
  /** The text of a device profile that ships, or undefined. */
  shippedProfile(name: string): string | undefined;
}

export interface LoadOptions {
  /** coopc.wasm of this package, its bytes or compiled: where it cannot be read beside the script. */
  wasm?: WebAssembly.Module | BufferSource;
}

export declare function load(options?: LoadOptions): Promise<Coopc>;
export default load;
