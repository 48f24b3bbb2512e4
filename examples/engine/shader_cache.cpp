// Implements shader_cache.hpp. One lock guards the slots and the queue; it is not held while compiling.
#include "shader_cache.hpp"

#include <algorithm>
#include <utility>

#include "coopc/lower.hpp"
#include "coopc/reflect.hpp"

namespace engine {

ShaderCache::ShaderCache(std::vector<std::string> includeFolders, std::string device, unsigned threads)
    : device_(std::move(device)) {
  options_.targetEnv = coopc::TargetEnv::Vulkan1_3;
  options_.optimization = coopc::Optimization::Speed;
  options_.include = files_.resolver(std::move(includeFolders));
  // Running compiles are cancelled when the engine ends.
  options_.cancelled = [this] {
    const std::lock_guard<std::mutex> hold(lock_);
    return ending_;
  };
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ShaderCache::~ShaderCache() {
  {
    const std::lock_guard<std::mutex> hold(lock_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ShaderCache::start(const std::string& path, Slot& slot) {
  ++slot.asked;
  jobs_.push(path);
  changed_.notify_all();
}

std::shared_ptr<const Shader> ShaderCache::get(const std::string& path) {
  const std::lock_guard<std::mutex> hold(lock_);
  Slot& slot = slots_[path];
  if (slot.asked == 0) start(path, slot);
  return slot.good;
}

std::shared_ptr<const Shader> ShaderCache::wait(const std::string& path) {
  std::unique_lock<std::mutex> hold(lock_);
  Slot& slot = slots_[path];  // references stay valid: the map's nodes do not move
  if (slot.asked == 0) start(path, slot);
  changed_.wait(hold, [&] { return slot.done == slot.asked; });
  return slot.newest;
}

size_t ShaderCache::reloadChanged() {
  const std::vector<std::string> changed = files_.refresh();
  if (changed.empty()) return 0;
  const std::lock_guard<std::mutex> hold(lock_);
  size_t count = 0;
  for (auto& [path, slot] : slots_) {
    const bool concerned = std::any_of(
        slot.watched.begin(), slot.watched.end(),
        [&](const std::string& file) { return std::binary_search(changed.begin(), changed.end(), file); });
    if (!concerned) continue;
    start(path, slot);
    ++count;
  }
  return count;
}

void ShaderCache::work() {
  std::unique_lock<std::mutex> hold(lock_);
  for (;;) {
    changed_.wait(hold, [&] { return ending_ || !jobs_.empty(); });
    if (ending_) return;
    const std::string path = std::move(jobs_.front());
    jobs_.pop();
    hold.unlock();
    std::vector<std::string> watched;
    auto shader = std::make_shared<const Shader>(make(path, watched));
    hold.lock();
    Slot& slot = slots_[path];
    slot.newest = shader;
    if (shader->ok()) slot.good = std::move(shader);
    slot.watched = std::move(watched);
    ++slot.done;
    changed_.notify_all();
  }
}

Shader ShaderCache::make(const std::string& path, std::vector<std::string>& watched) {
  Shader shader;
  watched.push_back(path);
  const coopc::SharedText text = files_.read(path);
  if (!text) {
    shader.messages = path + ": cannot be read\n";
    return shader;
  }
  coopc::Result result = coopc::compile(text, path, options_);
  watched.insert(watched.end(), result.dependencies.begin(), result.dependencies.end());
  watched.insert(watched.end(), result.missing.begin(), result.missing.end());
  shader.messages = std::move(result.messages);
  if (!result.ok) return shader;

  coopc::LowerOptions lowering;
  lowering.profile = device_;
  coopc::LowerResult lowered = coopc::lower(result.words, lowering);
  if (lowered.kind == coopc::Lowering::Declined) {
    shader.messages += lowered.error;
    for (const std::string& reason : lowered.reasons) shader.messages += path + ": " + reason + "\n";
    return shader;
  }
  shader.lowered = lowered.kind == coopc::Lowering::Lowered;
  shader.requiredSubgroupSize = lowered.subgroupSize;

  const coopc::Reflection reflection = coopc::reflect(lowered.words);
  for (const coopc::ReflectedBinding& b : reflection.bindings)
    shader.bindings.push_back({b.set, b.binding, b.count.known ? static_cast<uint32_t>(b.count.value) : 1,
                               static_cast<int>(b.kind)});
  for (const coopc::ReflectedPushConstants& block : reflection.pushConstants)
    shader.pushConstantBytes = std::max(shader.pushConstantBytes, block.size);
  shader.words = std::move(lowered.words);
  return shader;
}

}  // namespace engine
