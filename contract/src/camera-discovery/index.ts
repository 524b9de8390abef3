import * as z from 'zod/mini'
import { machineName } from '../camera-additions/index.ts'
import { route } from '../wire/index.ts'

/** A camera that answered a search. Its texts are its own. */
export const foundCamera = z.object({
  address: z.string(),
  /** Of ONVIF, or of RTSP. */
  port: z.int(),
  /** `rtsp`: it doesn't answer ONVIF, so it is added with its stream path. */
  protocol: z.enum(['onvif', 'rtsp']),
  /** `announcement`: it answered WS-Discovery. `address`: it answered a connection to its address. */
  foundBy: z.enum(['announcement', 'address']),
  /** ONVIF over TLS. */
  https: z.boolean(),
  /** Empty if it doesn't say; the same for brand and model. */
  name: z.string(),
  brand: z.string(),
  model: z.string(),
  /** Lower case with colons; empty if it isn't known. */
  ethMacAddress: z.string(),
  /** It is in this account, or being added to it. */
  added: z.boolean(),
  /**
   * The machines with media workers that found it, for `machines` of postCamera; `front` is that of the front. Empty if every machine
   * of the installation found it.
   */
  machines: z.array(machineName),
})
export type FoundCamera = z.infer<typeof foundCamera>

export const cameraDiscovery = z.object({
  /** The networks of the account, in CIDR notation; only cameras in them are found. */
  networks: z.array(z.string()),
  /** `none`: nothing was searched since the server started. */
  state: z.enum(['none', 'running', 'done']),
  /** 0 to 100. */
  progress: z.int(),
  /** By machine, in the order of their answers; the list grows while the search runs. */
  cameras: z.array(foundCamera),
})
export type CameraDiscovery = z.infer<typeof cameraDiscovery>

export const getCameraDiscovery = route({
  name: 'getCameraDiscovery',
  summary: 'Get the cameras that the last search found, also while it runs',
  method: 'GET',
  path: 'cameras/discovery',
  access: 'tenant',
  right: 'addPnpCamera',
  support: 'yes',
  reply: cameraDiscovery,
  errors: ['timedOut'],
})

const IPV4_NETWORK = /^(\d{1,3}\.){3}\d{1,3}\/(3[0-2]|[12]?\d)$/

export const startCameraDiscovery = route({
  name: 'startCameraDiscovery',
  summary: 'Search for cameras in the networks of the account, one search at a time',
  method: 'POST',
  path: 'cameras/discovery',
  access: 'tenant',
  right: 'addPnpCamera',
  support: 'yes',
  body: z.object({
    /** An IPv4 network with at most 1024 addresses, within those of the account: each address is asked too, 50 a second. */
    network: z.optional(z.string().check(z.regex(IPV4_NETWORK, 'must be an IPv4 network such as 192.168.1.0/24'))),
    /** With `network`: also connects to the usual ports of cameras at each address, 50 connections a second. */
    connect: z.optional(z.boolean()),
    /** Ends the search that runs; what it found stays. The other fields don't count then. */
    cancel: z.optional(z.boolean()),
  }),
  notReplayed: 'a search that runs is not started again',
  reply: cameraDiscovery,
  errors: ['validation', 'businessRule', 'timedOut'],
})
