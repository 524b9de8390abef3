import { z } from 'zod'

/** One environment variable: its description for operators, and its parser. */
export interface Setting<Value> {
  readonly summary: string
  /** The allowed values, in words. */
  readonly values: string
  /** The default, in words. */
  readonly unset: string
  /** Shown as `[hidden]` wherever settings are printed. */
  readonly isSecret?: boolean
  readonly schema: z.ZodType<Value, string | undefined>
}

export const setting = <Value>(description: Setting<Value>): Setting<Value> => description

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((number) => number <= 65_535)
