import { fail, ok } from '@sightline/platform/result'
import type * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import { CallSlots } from './call-slots.ts'
import { DEVICE, OnvifClient, type OnvifFault, type OnvifOptions, type OnvifResult } from './onvif-client.ts'
import type { HttpAddress } from './onvif-http.ts'
import { listProfiles, type OnvifProfile } from './onvif-profiles.ts'
import { findServices, NAMESPACES, type OnvifServiceName, type OnvifServices } from './onvif-services.ts'
import { chooseStreams } from './stream-profiles.ts'

/** Recorders take longer for each picture if they are asked for more. */
const PICTURES_AT_A_TIME = 4

export interface CommandRequest<T> {
  /** XML within the element of the operation. */
  readonly content?: string
  /** For services that need WS-Addressing. */
  readonly action?: string
  readonly shape: z.ZodMiniType<T>
  readonly timeoutMs?: number
  readonly maxReplyBytes?: number
  readonly signal: AbortSignal
}

/** Which of a device's pictures the commands are about. */
export interface CommandedStream {
  /** Of the main stream, as the camera named it. */
  readonly mainPath: string
  /** Which input of a recorder, from 1. */
  readonly input: number
}

type CommanderOptions = Omit<OnvifOptions, 'signal'> & { readonly stream: CommandedStream }

/**
 * A camera to which commands are given: one client, so that what was learned of its authentication and its clock is kept, and its
 * services, which are asked for once.
 */
export class OnvifCommander {
  readonly client: OnvifClient
  readonly stream: CommandedStream
  readonly #options: CommanderOptions
  #profile: OnvifProfile | undefined
  /** Where it said that the snapshots of its profiles are. */
  readonly pictureAddresses = new Map<string, HttpAddress>()
  /** How many pictures are downloaded at a time. */
  readonly pictureSlots = new CallSlots(PICTURES_AT_A_TIME)
  #services: OnvifServices | undefined

  constructor(given: CommanderOptions) {
    const { stream, ...options } = given
    this.#options = given
    this.stream = stream
    // Each request brings its own signal.
    this.client = new OnvifClient({ ...options, signal: new AbortController().signal })
  }

  /** The same camera for another of its users, with the certificate that it showed. */
  signedInAs(credentials: NonNullable<OnvifOptions['credentials']>): OnvifCommander {
    const { habits: _, ...options } = this.#options
    return new OnvifCommander({ ...options, certificate: this.client.certificate, credentials })
  }

  /** A request to one of the camera's services. `isUnsupported` in the fault: the camera lacks the service or the operation. */
  async call<T>(
    name: OnvifServiceName | 'device',
    operation: string,
    request: CommandRequest<T>,
  ): Promise<OnvifResult<T>> {
    const service = name === 'device' ? { address: this.client.address, named: '' } : await this.#find(name)
    if ('kind' in service) return fail(service)
    const namespace = name === 'device' ? DEVICE : NAMESPACES[name]
    const reply = await this.client.call({ service, namespace, operation, ...request })
    return reply.ok ? ok(reply.value.value) : reply
  }

  async #find(name: OnvifServiceName) {
    const services = await this.services()
    if (!services.ok) return services.failure
    return services.value[name] ?? lacking(name)
  }

  /**
   * The profile of the main stream: the one with its path, or the one that would be chosen today. Its settings may have changed
   * since; its tokens don't.
   */
  async mainProfile(): Promise<OnvifResult<OnvifProfile>> {
    if (this.#profile !== undefined) return ok(this.#profile)
    const profiles = await this.profiles()
    if (!profiles.ok) return profiles
    const { mainPath } = this.stream
    const profile = profiles.value.find(({ stream }) => stream.path === mainPath) ?? chooseStreams(profiles.value)?.main
    if (profile === undefined) return fail(fault('noVideo', 'the camera has no profile with video'))
    this.#profile = profile
    return ok(profile)
  }

  /** The profiles of the input of these commands, as the camera lists them now. */
  async profiles(): Promise<OnvifResult<readonly OnvifProfile[]>> {
    const services = await this.services()
    if (!services.ok) return services
    const listed = await listProfiles(this.client, services.value)
    if (!listed.ok) return listed
    const source = listed.value.sources[this.stream.input - 1]
    return ok(listed.value.profiles.filter((profile) => source === undefined || profile.source === source))
  }

  /** The services that the camera names; one that isn't there is undefined. */
  async services(): Promise<OnvifResult<OnvifServices>> {
    if (this.#services !== undefined) return ok(this.#services)
    const found = await findServices(this.client)
    if (found.ok) this.#services = found.value
    return found
  }
}

const lacking = (name: OnvifServiceName): OnvifFault => ({
  ...fault('badReply', `the camera has no ${name} service`),
  isRefusal: true,
  isUnsupported: true,
})
