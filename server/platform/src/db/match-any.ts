import { type Expression, sql } from 'kysely'

/**
 * For `.where('camera_id', '=', matchAny(ids))`: one parameter however many ids there are, so that the statement and its plan
 * stay the same. None of none is never.
 */
export const matchAny = (ids: readonly number[]): Expression<number> => sql<number>`any(${[...ids]}::bigint[])`
