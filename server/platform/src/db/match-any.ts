import { type Expression, sql } from 'kysely'

/**
 * For `.where('camera_id', '=', matchAny(ids))`: one parameter for any number of ids, so that the statement and its
 * plan stay the same. An empty list matches nothing.
 */
export const matchAny = (ids: readonly number[]): Expression<number> => sql<number>`any(${[...ids]}::bigint[])`
