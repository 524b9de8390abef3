import { fail, ok } from '@sightline/platform/result'
import type * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import { DEVICE, OnvifClient, type OnvifFault, type OnvifOptions, type OnvifResult } from './onvif-client.ts'
import { findServices, NAMESPACES, type OnvifServiceName, type OnvifServices } from './onvif-services.ts'

export interface CommandRequest<T> {
  /** XML within the element of the operation. */
  readonly content?: string
  readonly shape: z.ZodMiniType<T>
  readonly timeoutMs?: number
  readonly maxReplyBytes?: number
  readonly signal: AbortSignal
}

/**
 * A camera to which commands are given: one client, so that what was learned of its authentication and its clock is kept, and its
 * services, which are asked for once.
 */
export class OnvifCommander {
  readonly client: OnvifClient
  #services: OnvifServices | undefined

  constructor(options: Omit<OnvifOptions, 'signal'>) {
    // Each request brings its own signal.
    this.client = new OnvifClient({ ...options, signal: new AbortController().signal })
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
