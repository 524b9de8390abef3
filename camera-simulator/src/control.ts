import { z } from 'zod'
import type { CameraAddress } from './camera.ts'
import { fault } from './fault.ts'
import type { simulatorSettings } from './settings.ts'

const request = z.int()

/** Commands from a parent process. `request` is returned with the reply; cameras are identified by MAC address. */
export const command = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('start'), request, settings: z.custom<z.input<typeof simulatorSettings>>() }),
  z.strictObject({ kind: z.literal('fault'), request, mac: z.string().toLowerCase(), fault }),
  z.strictObject({ kind: z.literal('heal'), request, mac: z.string().toLowerCase() }),
  z.strictObject({ kind: z.literal('stop'), request }),
])
export type ControlCommand = z.infer<typeof command>

/** The replies. `cameras` is in the order of the settings. */
export type ControlReply =
  | { readonly kind: 'ready'; readonly request: number; readonly cameras: readonly CameraAddress[] }
  | { readonly kind: 'done'; readonly request: number }
  | { readonly kind: 'failed'; readonly request: number; readonly reason: string }
