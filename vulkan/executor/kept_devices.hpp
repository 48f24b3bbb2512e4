// Devices that are kept for later runs, because creating one can take a driver a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>

#include "vulkan/executor/device.hpp"

namespace coopc::vk {

/// Whether a device with all of `all` enabled meets `needs`.
bool covers(const Requirements& all, const Requirements& needs);
/// Makes `all` cover `needs` as well.
void add(Requirements& all, const Requirements& needs);

/// Exact: a device has what a run needs and nothing else. AtLeast: a device that has more is accepted, and a
/// new one also gets everything that was requested before, so that soon no more devices are created.
enum class Match { Exact, AtLeast };

/// Keeps a few devices. If there are more, the least recently used one is destroyed, because each costs the
/// driver memory. For one Instance and one PhysicalDevice.
///
/// `Kept` is a Device, or a device together with what its user creates once for it; it has the create() and
/// abandon() of Device.
template <typename Kept>
class KeptDevices {
 public:
  explicit KeptDevices(Match match = Match::Exact) : match_(match) {}
  KeptDevices(const KeptDevices&) = delete;
  KeptDevices& operator=(const KeptDevices&) = delete;

  /// Valid until the next call.
  Result<Kept*> get(const Instance& instance, const PhysicalDevice& physical, const ComputeFamily& family,
                    const Requirements& needs, const DeviceOptions& options);
  /// Called after a device was lost or hangs: nothing is destroyed, because that could hang as well. The
  /// results of get() stay valid, because their objects may ask whether they are abandoned.
  void abandon() {
    for (Entry& entry : entries_) entry.device->abandon();
    abandoned_.splice(abandoned_.end(), entries_);
  }
  /// If so, the instance cannot be destroyed either, because some of its devices still exist.
  bool isAbandoned() const { return !abandoned_.empty(); }
  /// How many devices have been created so far.
  size_t made() const { return made_; }
  /// Destroys all devices; later runs create new ones.
  void destroy() { entries_.clear(); }

 private:
  static constexpr size_t kMost = 8;

  struct Entry {
    Requirements needs;
    DeviceOptions options;
    uint32_t family;  ///< of its queue
    std::unique_ptr<Kept> device;
  };
  bool serves(const Entry& entry, uint32_t family, const Requirements& needs,
              const DeviceOptions& options) const {
    return entry.family == family && entry.options == options && covers(entry.needs, needs) &&
           (match_ == Match::AtLeast || covers(needs, entry.needs));
  }

  Match match_;
  size_t made_ = 0;
  Requirements asked_;        ///< AtLeast: all needs so far
  std::list<Entry> entries_;  ///< the last used first
  std::list<Entry> abandoned_;
};

using LogicalDevices = KeptDevices<Device>;

template <typename Kept>
Result<Kept*> KeptDevices<Kept>::get(const Instance& instance, const PhysicalDevice& physical,
                                     const ComputeFamily& family, const Requirements& needs,
                                     const DeviceOptions& options) {
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    if (!serves(*it, family.index, needs, options)) continue;
    entries_.splice(entries_.begin(), entries_, it);
    return entries_.front().device.get();
  }
  Entry fresh{needs, options, family.index, nullptr};
  if (match_ == Match::AtLeast) {
    add(asked_, needs);
    fresh.needs = asked_;
  }
  Result<std::unique_ptr<Kept>> made = Kept::create(instance, physical, family, fresh.needs, options);
  if (!made && match_ == Match::AtLeast) {
    // The needs may exclude something that was requested before.
    asked_ = fresh.needs = needs;
    made = Kept::create(instance, physical, family, needs, options);
  }
  if (!made) return made.error();
  ++made_;
  fresh.device = std::move(*made);
  if (entries_.size() >= kMost) entries_.pop_back();
  entries_.push_front(std::move(fresh));
  return entries_.front().device.get();
}

}  // namespace coopc::vk
