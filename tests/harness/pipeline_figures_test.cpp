// Instruction counts from assembly in four forms, and drivers' statistics under common names. The texts have
// the forms that the drivers print.
#include "harness/pipeline_figures.hpp"

#include <catch2/catch_test_macros.hpp>

#include "harness/machine_code.hpp"

namespace coopc::harness {
namespace {

using Counts = std::vector<CountedInstruction>;

TEST_CASE("machine code: RADV's assembly") {
  const char* text =
      "BB0:\n"
      "\ts_lshl_b32 s14, s14, 7                                      ; 840e870e\n"
      "\tds_load_b128 v[4:7], v3                                     ; db7c0000 00000403\n"
      "BB1:\n"
      "\tds_load_b128 v[8:11], v3 offset:16                          ; db7c0000 00000403\n"
      "\tv_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]   ; cc404000 1c022108\n"
      "\ts_endpgm                                                    ; bfb00000\n";
  CHECK(countInstructions(text, AssemblyForm::Aco) ==
        Counts{{"ds_load_b128", 2}, {"s_endpgm", 1}, {"s_lshl_b32", 1}, {"v_wmma_f32_16x16x16_f16", 1}});
}

TEST_CASE("machine code: NVK's assembly") {
  const char* text =
      "block.u 0 L2 [] -> {\n"
      "      b0        = bclear                                               // delay=1\n"
      "      r0..4     = ldsm.16.m8n8.x4 [r8+0x500]                           // delay=1 wr:1\n"
      "      up0 null  = plop3 up1 up2 up0 LUT[0x80] LUT[0x0]                 // delay=1\n"
      "                  nop L0                                               // delay=1\n"
      "@!p0              bra pT L8                                            // delay=1\n"
      "} -> [2, 3]\n"
      "\n";
  CHECK(countInstructions(text, AssemblyForm::Nak) ==
        Counts{{"bclear", 1}, {"bra", 1}, {"ldsm.16.m8n8.x4", 1}, {"nop", 1}, {"plop3", 1}});
}

TEST_CASE("machine code: Turnip's assembly") {
  const char* text =
      "Native code for unnamed CL shader (null) with blake3 bb27:\n"
      "; num_ubos:           0\n"
      "@localsize 256, 1, 1\n"
      "(sy)(ss)shpe\n"
      "l17:\n"
      "(jp)(rpt1)add.u r50.w, (r)r48.x, (r)c4.x\n"
      "ldl.u32 r0.x, l[r1.x], 4\n"
      "(sy)ldl.u32 r4.x, l[r1.x+16], 4\n"
      "ldg.a.u16 hr37.w, g[c0.x+r18.z+0], 1\n"
      "end\n";
  CHECK(countInstructions(text, AssemblyForm::Ir3) ==
        Counts{{"ldl.u32 x4", 2}, {"add.u", 1}, {"end", 1}, {"ldg.a.u16 x1", 1}, {"shpe", 1}});
}

TEST_CASE("machine code: nvdisasm's text, without predicates") {
  const char* text =
      "\t.headerflags\t@\"EF_CUDA_SM90\"\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
      "        /*0010*/              @!P0 LDG.E.128 R4, desc[UR4][R2.64] ;\n"
      "        /*0020*/                   LDG.E.128 R8, desc[UR4][R2.64+0x10] ;\n"
      ".L_x_0:\n"
      "        /*0030*/                   EXIT ;\n";
  CHECK(countInstructions(text, AssemblyForm::Nvdisasm) == Counts{{"LDG.E.128", 2}, {"EXIT", 1}, {"LDC", 1}});
  CHECK(countInstructions("", AssemblyForm::Nvdisasm).empty());
}

TEST_CASE("machine code: broken lines name no instruction") {
  size_t lines = 0;
  for (const char* line :
       {"@", "@p0", "(sy", "(", "\t", "= ", "a = ", "/*", "*/ X ;", "ldl.u32", "\t@", "}", " = ="}) {
    for (const AssemblyForm form :
         {AssemblyForm::Aco, AssemblyForm::Nak, AssemblyForm::Ir3, AssemblyForm::Nvdisasm}) {
      const Counts counts = countInstructions(line, form);
      CHECK(counts.size() <= 1);
      ++lines;
    }
  }
  CHECK(lines == 52);
}

TEST_CASE("machine code: bytes of loads from shared memory") {
  struct Load {
    const char* name;
    AssemblyForm form;
    uint32_t bytes;
  };
  const Load loads[] = {
      {"ds_load_b128", AssemblyForm::Aco, 16},
      {"ds_load_b96", AssemblyForm::Aco, 12},
      {"ds_load_b64", AssemblyForm::Aco, 8},
      {"ds_load_b32", AssemblyForm::Aco, 4},
      {"ds_load_u16_d16_hi", AssemblyForm::Aco, 2},
      {"ds_load_i8", AssemblyForm::Aco, 1},
      {"ds_load_2addr_b32", AssemblyForm::Aco, 8},
      {"ds_load_2addr_stride64_b64", AssemblyForm::Aco, 16},
      {"ds_read_b32", AssemblyForm::Aco, 4},
      {"ds_read2_b32", AssemblyForm::Aco, 8},
      {"ds_read_u16", AssemblyForm::Aco, 2},
      {"ds_store_b128", AssemblyForm::Aco, 0},
      {"buffer_load_b128", AssemblyForm::Aco, 0},
      {"lds.b128", AssemblyForm::Nak, 16},
      {"lds.u16", AssemblyForm::Nak, 2},
      {"ldsm.16.m8n8.x4", AssemblyForm::Nak, 16},
      {"ldsm.16.m8n8.x1.t", AssemblyForm::Nak, 4},
      {"ldc.b32", AssemblyForm::Nak, 0},
      {"ldl.u32 x4", AssemblyForm::Ir3, 16},
      {"ldl.u16 x1", AssemblyForm::Ir3, 2},
      {"ldg.a.u32 x4", AssemblyForm::Ir3, 0},
      {"LDS", AssemblyForm::Nvdisasm, 4},
      {"LDS.64", AssemblyForm::Nvdisasm, 8},
      {"LDS.128", AssemblyForm::Nvdisasm, 16},
      {"LDS.U16", AssemblyForm::Nvdisasm, 2},
      {"LDSM.16.MT88.2", AssemblyForm::Nvdisasm, 8},
      {"LDG.E.128", AssemblyForm::Nvdisasm, 0},
  };
  size_t checked = 0;
  for (const Load& load : loads) {
    INFO(load.name);
    CHECK(sharedLoadBytes(load.name, load.form) == load.bytes);
    ++checked;
  }
  CHECK(checked == 27);
}

TEST_CASE("machine code: instructions that multiply matrices") {
  CHECK(multipliesMatrices("v_wmma_f32_16x16x16_f16", AssemblyForm::Aco));
  CHECK(multipliesMatrices("v_swmmac_f32_16x16x32_f16", AssemblyForm::Aco));
  CHECK_FALSE(multipliesMatrices("v_fmac_f32_e32", AssemblyForm::Aco));
  CHECK(multipliesMatrices("hmma.m16n8k16.f32", AssemblyForm::Nak));
  CHECK(multipliesMatrices("imma.m16n8k32.s32", AssemblyForm::Nak));
  CHECK_FALSE(multipliesMatrices("hfma2", AssemblyForm::Nak));
  CHECK(multipliesMatrices("HGMMA.64x128x16.F32", AssemblyForm::Nvdisasm));
  CHECK_FALSE(multipliesMatrices("FFMA", AssemblyForm::Nvdisasm));
  CHECK_FALSE(multipliesMatrices("mad.f32", AssemblyForm::Ir3));
}

vk::ShaderCode textCode(const char* name, const std::string& text) {
  return {name, true, std::vector<uint8_t>(text.begin(), text.end())};
}

TEST_CASE("pipeline figures: RADV") {
  const std::vector<std::pair<std::string, double>> statistics = {{"SGPRs", 108},
                                                                  {"VGPRs", 256},
                                                                  {"Spilled VGPRs", 3},
                                                                  {"Scratch size", 512},
                                                                  {"LDS size", 19456},
                                                                  {"Instructions", 9},
                                                                  {"Subgroups per SIMD", 4},
                                                                  {"Latency", 58622},
                                                                  {"Inverse Throughput", 29311}};
  const std::vector<vk::ShaderCode> code = {
      textCode("ACO IR", "\tds_load_b32 v0, v1\n"),
      textCode("Assembly",
               "\tds_load_b64 v[0:1], v4 ; 0\n\tds_load_b96 v[0:2], v4 ; 0\n\tv_wmma_x v0 ; 0\n")};
  const PipelineFigures figures = figuresOf(statistics, code, 64);
  CHECK(figures.subgroupSize == 64u);
  CHECK(figures.registers == 256u);
  CHECK(figures.mostRegisters == 256u);
  CHECK(figures.spills == 3u);
  CHECK(figures.scratchBytes == 512u);
  CHECK(figures.sharedBytes == 19456u);
  CHECK(figures.instructions == 9u);
  CHECK(figures.waves == 4u);
  CHECK(figures.cycles == 58622u);
  CHECK(figures.inverseThroughput == 29311u);
  CHECK_FALSE(figures.stalls);
  CHECK(figures.matrixInstructions == 1u);
  CHECK(figures.sharedLoads == std::array<uint64_t, 5>{0, 0, 0, 2, 0});
}

TEST_CASE("pipeline figures: NVK, Turnip, Honeykrisp, NVIDIA's driver, and one that reports nothing") {
  const std::vector<std::pair<std::string, double>> nvk = {{"Instruction count", 4101},
                                                           {"Static cycle count", 47488},
                                                           {"Max warps/SM", 8},
                                                           {"Spills to memory", 44},
                                                           {"Spills to reg", 222},
                                                           {"Number of GPRs", 255},
                                                           {"SLM size", 68}};
  const PipelineFigures nvidia = figuresOf(nvk, {}, 32);
  CHECK(nvidia.registers == 255u);
  CHECK(nvidia.mostRegisters == 255u);
  CHECK(nvidia.spills == 44u);
  CHECK(nvidia.scratchBytes == 68u);
  CHECK(nvidia.cycles == 47488u);
  CHECK(nvidia.waves == 8u);
  CHECK_FALSE(nvidia.matrixInstructions);

  const std::vector<std::pair<std::string, double>> turnip = {{"Registers used", 48},
                                                              {"STP Count", 19},
                                                              {"Instruction Count", 5157},
                                                              {"Max Waves Per Core", 4},
                                                              {"Estimated cycles stalled on SS", 43},
                                                              {"Estimated cycles stalled on SY", 143}};
  const PipelineFigures qualcomm = figuresOf(turnip, {}, 64);
  CHECK(qualcomm.registers == 48u);
  CHECK(qualcomm.spills == 19u);
  CHECK(qualcomm.instructions == 5157u);
  CHECK(qualcomm.stalls == 186u);

  const std::vector<std::pair<std::string, double>> honeykrisp = {
      {"Instructions", 5296}, {"GPRs", 255}, {"Scratch", 408}, {"Threads", 384}, {"Spills", 172}};
  const PipelineFigures apple = figuresOf(honeykrisp, {}, 0);
  CHECK_FALSE(apple.subgroupSize);
  CHECK(apple.registers == 255u);
  CHECK(apple.waves == 12u);
  CHECK(apple.spills == 172u);
  CHECK(apple.scratchBytes == 408u);

  const std::vector<std::pair<std::string, double>> own = {{"Register Count", 146},
                                                           {"Binary Size", 56448},
                                                           {"Local Memory Size", 68719476736.0},
                                                           {"Shared Memory Size", 18944}};
  const PipelineFigures h200 = figuresOf(own, {}, 32);
  CHECK(h200.registers == 146u);
  CHECK(h200.sharedBytes == 18944u);
  CHECK_FALSE(h200.scratchBytes);

  const PipelineFigures none = figuresOf({}, {}, 0);
  CHECK_FALSE(none.registers);
  CHECK_FALSE(none.sharedLoads);
}

}  // namespace
}  // namespace coopc::harness
