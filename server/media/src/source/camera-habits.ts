import * as z from 'zod/mini'

const pendingWifi = z.object({
  kind: z.enum(['enabling', 'disabling', 'connecting', 'switching', 'forgetting']),
  ssid: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
})

const wifiOrders = z.object({
  pending: z.optional(pendingWifi),
  /** The network that it could not join. */
  failedSsid: z.optional(z.string()),
})

const rejections = z.object({
  /** In a row. */
  count: z.number(),
  /** Milliseconds since 1970. */
  retryAt: z.number(),
})

const cameraHabits = z.object({
  /** The camera sends its media over UDP only. */
  usesUdp: z.optional(z.boolean()),
  /** The camera's port speaks HTTP only: RTSP goes inside of it. */
  usesHttp: z.optional(z.boolean()),
  /** How the camera took the password for its streams; `none`: it wanted none. */
  authentication: z.optional(z.enum(['none', 'basic', 'digest'])),
  /** The other method was rejected. */
  keepAlive: z.optional(z.enum(['GET_PARAMETER', 'OPTIONS'])),
  /** ONVIF takes the password only by HTTP authentication. */
  onvifAuthentication: z.optional(z.enum(['basic', 'digest'])),
  wifi: z.optional(wifiOrders),
  /** A PTZ move was sent, and no stop since. */
  isMoving: z.optional(z.boolean()),
  /** The camera rejected the password for its main stream. */
  rejections: z.optional(rejections),
  /** The same for its events. */
  onvifRejections: z.optional(rejections),
})

/** What was learned of a camera by trying. The next connection tries it first, and unlearns it if it fails. */
export type CameraHabits = z.infer<typeof cameraHabits>
export type KeepAliveMethod = NonNullable<CameraHabits['keepAlive']>

/** What a camera was told to do with its Wi-Fi: it takes a while, and doesn't say what it does. */
export type WifiOrders = z.infer<typeof wifiOrders>
export type PendingWifi = z.infer<typeof pendingWifi>

/** Habits that were stored; none if another version stored something else. */
export function parseHabits(stored: unknown): CameraHabits {
  const parsed = z.safeParse(cameraHabits, stored)
  return parsed.success ? parsed.data : {}
}
