/* moves.c - loads and stores of registers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/moves.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/registers.h"
#include "promote/tiles.h"
#include "promote/work.h"
#include "support/coalesce.h"

#include <isl/space.h>

/* Loads or stores of registers: full tiles without conditions, then the
 * others.
 */
__isl_give isl_schedule *pg_moves_build(struct pg_building *b,
                                        struct pg_work *work,
                                        enum pg_user_kind kind)
{
    isl_schedule *all = NULL;

    for (unsigned i = 0; i < b->registers.n; i++) {
        const struct pg_register *reg = &b->registers.reg[i];
        isl_set *points, *missing, *tiles, *full;
        isl_map *boxes;
        isl_bool none;

        points = kind == PG_USER_LOAD ? reg->loaded : reg->stored;
        none = isl_set_is_empty(points);
        b->ok &= none >= 0;
        if (none != isl_bool_false)
            continue;
        points = isl_set_intersect(isl_map_domain(isl_map_copy(reg->element)),
                                   isl_set_copy(points));
        boxes = pg_tiles_of(&b->sizes, isl_set_get_space(points), 0);
        tiles = isl_set_apply(isl_set_copy(points),
                              isl_map_reverse(isl_map_copy(boxes)));
        tiles = pg_coalesce(tiles);
        missing = isl_map_domain(isl_map_subtract_range(
            isl_map_intersect_domain(isl_map_copy(boxes), isl_set_copy(tiles)),
            isl_set_copy(points)));
        full = pg_coalesce(isl_set_subtract(isl_set_copy(tiles), missing));
        tiles = pg_coalesce(isl_set_subtract(tiles, isl_set_copy(full)));
        for (int pass = 0; pass < 2; pass++) {
            isl_set *set = isl_set_apply(isl_set_copy(pass ? tiles : full),
                                         isl_map_copy(boxes));
            struct pg_work mine = {0};
            isl_map *point;

            set = isl_set_intersect(set, isl_set_copy(points));
            set = pg_building_tuple(b, kind, b->n_shared + i, pg_coalesce(set));
            point = isl_map_reset_tuple_id(
                isl_set_identity(isl_set_universe(isl_set_get_space(set))),
                isl_dim_out);
            b->ok &= pg_work_add(&b->context, &mine, isl_set_copy(set), point,
                                 false);
            if (mine.n) {
                isl_schedule *one = isl_schedule_from_domain(
                    isl_union_set_from_set(isl_set_copy(mine.item[0].domain)));

                all = pg_building_then(b, all,
                                       pg_building_points(b, &mine, one, -1,
                                                          kind == PG_USER_LOAD
                                                              ? PG_MARK_LOAD
                                                              : PG_MARK_STORE));
            }
            isl_set_free(set);
            pg_work_join(work, &mine);
        }
        isl_set_free(points);
        isl_set_free(tiles);
        isl_set_free(full);
        isl_map_free(boxes);
    }
    return all;
}
