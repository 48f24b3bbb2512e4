/* Modules as C headers. */
#include "kernels/double.comp.h"
#include "kernels/values.comp.h"
#include "made.comp.h"

int main(void) {
  const int good = kernels_double_comp[0] == 0x07230203u && kernels_double_comp[1] == 0x00010600u &&
                   kernels_values_comp[0] == 0x07230203u && kernels_values_comp_size > 100 &&
                   kernels_double_comp_size == made_comp_size;
  return good ? 0 : 1;
}
