// Devices that are kept for later runs: making one takes a driver up to a second.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <utility>

#include "harness/vulkan/device.hpp"

namespace coopc::harness::vk {

/// Whether what needs `needs` finds it where all of `all` is enabled.
bool covers(const Requirements& all, const Requirements& needs);
/// Makes `all` cover `needs` as well.
void add(Requirements& all, const Requirements& needs);

/// Exact: a device has what a run needs and nothing else. AtLeast: one that has more will do, and a new one has all that was
/// asked for before, so that soon no more are made.
enum class Match { Exact, AtLeast };

/// The least recently used goes when there are more than a few, as each costs the driver memory. For one Instance and one
/// PhysicalDevice.
///
/// `Kept` is a Device, or a device with what its user makes once for it; it has Device's create() and abandon().
template <typename Kept>
class KeptDevices {
 public:
  explicit KeptDevices(Match match = Match::Exact) : match_(match) {}
  KeptDevices(const KeptDevices&) = delete;
  KeptDevices& operator=(const KeptDevices&) = delete;

  /// Valid until the next call.
  Result<Kept*> get(const Instance& instance, const PhysicalDevice& physical, const ComputeFamily& family,
                    const Requirements& needs, const DeviceOptions& options);
  /// After a device was lost or hangs: nothing is destroyed, as that could hang too. What get() returned stays valid, as
  /// objects of it may ask whether it is abandoned.
  void abandon() {
    for (Entry& entry : entries_) entry.device->abandon();
    abandoned_.splice(abandoned_.end(), entries_);
  }
  /// Then the instance cannot be destroyed either: devices of it are left.
  bool abandoned() const { return !abandoned_.empty(); }
  /// How many were made so far.
  size_t made() const { return made_; }
  /// Destroys all; later runs make new ones.
  void destroy() { entries_.clear(); }

 private:
  static constexpr size_t kMost = 8;

  struct Entry {
    Requirements needs;
    DeviceOptions options;
    std::unique_ptr<Kept> device;
  };
  bool serves(const Entry& entry, const Requirements& needs, const DeviceOptions& options) const {
    return entry.options == options && covers(entry.needs, needs) &&
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
    if (!serves(*it, needs, options)) continue;
    entries_.splice(entries_.begin(), entries_, it);
    return entries_.front().device.get();
  }
  Entry fresh{needs, options, nullptr};
  if (match_ == Match::AtLeast) {
    add(asked_, needs);
    fresh.needs = asked_;
  }
  Result<std::unique_ptr<Kept>> made = Kept::create(instance, physical, family, fresh.needs, options);
  if (!made && match_ == Match::AtLeast) {
    // Some of what was asked for before may exclude some of this.
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

}  // namespace coopc::harness::vk
