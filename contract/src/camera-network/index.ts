import * as z from 'zod/mini'
import { idText, route } from '../wire/index.ts'
import { ipv4Address, ipv4Fault } from './ipv4.ts'

export { ipv4Address, ipv4Fault, isUsableIpv4 } from './ipv4.ts'

/** A host name or an IPv4 address. */
export const timeServer = z.string().check(z.regex(/^(?=[A-Za-z0-9])[A-Za-z0-9.-]{0,252}[A-Za-z0-9]$/))
const port = z.int().check(z.gte(1), z.lte(65_535))
export const MAX_SERVERS = 3

export const networkPartNames = ['ipv4', 'dns', 'ports', 'ntp'] as const
export type NetworkPart = (typeof networkPartNames)[number]

/**
 * `notOffered`: the camera has no such setting by ONVIF. `hidden`: the caller lacks the right localExceptions, which local
 * addresses take.
 */
export const networkUnavailableReason = z.enum(['notOffered', 'hidden'])

/** What the camera says. Null: it can't be set, for the reason in `unavailable`. */
export const cameraNetwork = z.object({
  cameraId: z.int(),
  ipv4: z.nullable(
    z.object({
      dhcp: z.boolean(),
      address: z.nullable(z.string()),
      prefixLength: z.nullable(z.int()),
      gateway: z.nullable(z.string()),
    }),
  ),
  dns: z.nullable(z.object({ dhcp: z.boolean(), servers: z.array(z.string()) })),
  /** Null: the camera doesn't say or offer this one. */
  ports: z.nullable(z.object({ http: z.nullable(z.int()), https: z.nullable(z.int()), rtsp: z.nullable(z.int()) })),
  /** `enabled`: the camera sets its clock by the servers; otherwise Sightline may set it. */
  ntp: z.nullable(z.object({ enabled: z.boolean(), dhcp: z.boolean(), servers: z.array(z.string()) })),
  unavailable: z.partial(
    z.object({
      ipv4: networkUnavailableReason,
      dns: networkUnavailableReason,
      ports: networkUnavailableReason,
      ntp: networkUnavailableReason,
    }),
  ),
  /** False: the camera accepted the change and hasn't responded since. The values are the requested ones. */
  confirmed: z.boolean(),
})
export type CameraNetwork = z.infer<typeof cameraNetwork>

export const cameraNetworkPatch = z.partial(
  z.object({
    /** By DHCP, or all of it: the camera is out of reach with half of an address. */
    ipv4: z.union([
      z.object({ dhcp: z.literal(true) }),
      z
        .object({
          dhcp: z.literal(false),
          address: ipv4Address,
          prefixLength: z.int().check(z.gte(1), z.lte(30)),
          gateway: z.nullable(ipv4Address),
        })
        .check(
          z.refine((given) => ipv4Fault(given) === undefined, {
            error: ({ input }) => ipv4Fault(input as never) ?? '',
          }),
        ),
    ]),
    dns: z.union([
      z.object({ dhcp: z.literal(true) }),
      z.object({
        dhcp: z.literal(false),
        servers: z.array(ipv4Address).check(z.minLength(1), z.maxLength(MAX_SERVERS)),
      }),
    ]),
    ports: z.partial(z.object({ http: port, https: port, rtsp: port })),
    ntp: z.union([
      z.object({ enabled: z.literal(false) }),
      z.object({ enabled: z.literal(true), dhcp: z.literal(true) }),
      z.object({
        enabled: z.literal(true),
        dhcp: z.literal(false),
        servers: z.array(timeServer).check(z.minLength(1), z.maxLength(MAX_SERVERS)),
      }),
    ]),
    /** The camera's password. Needed for another address if a password is stored, which isn't sent to another address. */
    password: z.string().check(z.maxLength(128)),
  }),
)
export type CameraNetworkPatch = z.infer<typeof cameraNetworkPatch>

const ofCamera = {
  path: 'cameras/{cameraId}/network',
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  waitsForOthers: true,
  reply: cameraNetwork,
} as const

const cameraErrors = [
  'notFound',
  'capabilityNotSupported',
  'deviceCredentialsIncorrect',
  'deviceInternal',
  'cameraOffline',
  'timedOut',
] as const

export const getCameraNetwork = route({
  ...ofCamera,
  name: 'getCameraNetwork',
  summary: 'Get the address, DNS servers, ports and time servers of a camera, read from the camera (ONVIF)',
  method: 'GET',
  errors: cameraErrors,
})

export const patchCameraNetwork = route({
  ...ofCamera,
  name: 'patchCameraNetwork',
  summary:
    'Change the address, DNS servers, ports and time servers of a camera. The camera may restart; the server reaches it at ' +
    'its new address and port afterwards. Everything but `ntp` needs the right localExceptions',
  method: 'PATCH',
  body: cameraNetworkPatch,
  errors: ['validation', 'businessRule', 'duplicate', 'deviceOffline', ...cameraErrors],
})
