import type { ColumnType } from 'kysely'

/** `jsonb`: an object or array when read; written as the text of it (`JSON.stringify`), because the driver would write an array as an SQL array. */
export type Json<T> = ColumnType<T, string, string>
export type DefaultedJson<T> = ColumnType<T, string | undefined, string>
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
export type JsonObject = Readonly<Record<string, unknown>>
/** Optional on insert; defaults to null. */
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** Never written to. */
export type ReadOnly<T> = ColumnType<T, never, never>
