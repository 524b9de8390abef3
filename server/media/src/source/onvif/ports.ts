import type { CameraPortState, PortSwitch, SwitchedPort } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { durationMs } from './duration.ts'
import type { PortNotice } from './notification.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { list, neededText, optionalElement, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

const MAX_PORTS = 64
/** Ports are part of the device; a camera isn't asked for them again and again while someone watches their states. */
const LISTED_FOR_MS = 60_000
/** A camera may name any number of ports in its events. */
const MAX_STATES = 256

const relaysShape = z.object({
  RelayOutputs: list(
    z.object({
      '@token': neededText,
      Properties: optionalElement(z.object({ Mode: text, DelayTime: text })),
    }),
    MAX_PORTS,
  ),
})
const inputsShape = z.object({ DigitalInputs: list(z.object({ '@token': neededText }), MAX_PORTS) })

interface Port {
  readonly token: string
  readonly direction: 'input' | 'output'
  /** Of a relay that switches back automatically. */
  readonly pulseMs: number | null
}

type Direction = Port['direction']
type Services = 'device' | 'deviceIo'

const isUnsupported = ({ isUnsupported: lacks, isRefusal }: OnvifFault): boolean => lacks === true || isRefusal === true

/** Relay outputs and digital inputs of a camera (ONVIF Core §8.6, Device IO §5), with the states that its events report. */
export class CameraPorts {
  readonly #device: OnvifCommander
  readonly #now: () => number
  readonly #states = new Map<string, { readonly isActive: boolean; readonly until: number }>()
  #listed: { readonly at: number; readonly ports: readonly Port[] } | undefined
  /** Which service switches the relays: older cameras have them in the device service. */
  #relaysAt: Services = 'device'

  constructor(device: OnvifCommander, now: () => number = () => performance.now()) {
    this.#device = device
    this.#now = now
  }

  /** An event about a port. */
  note({ direction, token, isActive }: PortNotice): void {
    this.#save(direction, token, { isActive, until: Number.POSITIVE_INFINITY })
  }

  /** Events don't arrive any more, so no state is known. */
  forget(): void {
    this.#states.clear()
  }

  /** A camera that has neither outputs nor inputs is unsupported. */
  async list(signal: AbortSignal): Promise<OnvifResult<readonly CameraPortState[]>> {
    const ports = await this.#ports(signal)
    if (!ports.ok) return ports
    return ok(
      ports.value.map(({ token, direction, pulseMs }) => ({
        portId: `${direction}-${token}`,
        direction,
        state: this.#stateOf(direction, token),
        pulseSeconds: pulseMs === null ? null : pulseMs / 1000,
      })),
    )
  }

  async switch({ portId, state }: PortSwitch, signal: AbortSignal): Promise<OnvifResult<SwitchedPort>> {
    const ports = await this.#ports(signal)
    if (!ports.ok) return ports
    const port = ports.value.find(({ direction, token }) => `${direction}-${token}` === portId)
    if (port === undefined) return ok({ kind: 'portNotFound' })
    if (port.direction === 'input') return ok({ kind: 'isInput' })
    const content =
      `<o:RelayOutputToken>${escapeXml(port.token)}</o:RelayOutputToken>` + `<o:LogicalState>${state}</o:LogicalState>`
    const request = { content, shape: z.unknown(), signal }
    const switched = await this.#device.call(this.#relaysAt, 'SetRelayOutputState', request)
    if (!switched.ok) return switched
    const until = port.pulseMs !== null && state === 'active' ? this.#now() + port.pulseMs : Number.POSITIVE_INFINITY
    this.#save('output', port.token, { isActive: state === 'active', until })
    return ok({ kind: 'switched' })
  }

  async #ports(signal: AbortSignal): Promise<OnvifResult<readonly Port[]>> {
    if (this.#listed !== undefined && this.#now() - this.#listed.at < LISTED_FOR_MS) return ok(this.#listed.ports)
    const [relays, inputs] = [await this.#relays(signal), await this.#inputs(signal)]
    // A camera that can't be reached is no camera without ports.
    for (const asked of [relays, inputs]) if (!asked.ok && !isUnsupported(asked.failure)) return asked
    if (!relays.ok && !inputs.ok) return relays
    const ports = [...(relays.ok ? relays.value : []), ...(inputs.ok ? inputs.value : [])]
    if (ports.length === 0) return fail(without)
    this.#listed = { at: this.#now(), ports }
    return ok(ports)
  }

  async #relays(signal: AbortSignal): Promise<OnvifResult<readonly Port[]>> {
    const ask = (service: Services) => this.#device.call(service, 'GetRelayOutputs', { shape: relaysShape, signal })
    let reply = await ask('device')
    this.#relaysAt = 'device'
    if (reply.ok ? reply.value.RelayOutputs.length === 0 : isUnsupported(reply.failure)) {
      const newer = await ask('deviceIo')
      if (newer.ok) {
        reply = newer
        this.#relaysAt = 'deviceIo'
      }
    }
    if (!reply.ok) return reply
    return ok(
      reply.value.RelayOutputs.map(({ '@token': token, Properties }) => ({
        token: token.slice(0, 64),
        direction: 'output',
        pulseMs: Properties?.Mode === 'Monostable' ? (durationMs(Properties.DelayTime) ?? 0) : null,
      })),
    )
  }

  async #inputs(signal: AbortSignal): Promise<OnvifResult<readonly Port[]>> {
    const reply = await this.#device.call('deviceIo', 'GetDigitalInputs', { shape: inputsShape, signal })
    if (!reply.ok) return reply
    const toPort = (one: { readonly '@token': string }): Port => ({
      token: one['@token'].slice(0, 64),
      direction: 'input',
      pulseMs: null,
    })
    return ok(reply.value.DigitalInputs.map(toPort))
  }

  #stateOf(direction: Direction, token: string): CameraPortState['state'] {
    const known = this.#states.get(`${direction} ${token}`)
    if (known === undefined) return null
    return known.isActive && known.until > this.#now() ? 'active' : 'inactive'
  }

  #save(direction: Direction, token: string, state: { readonly isActive: boolean; readonly until: number }): void {
    const key = `${direction} ${token.slice(0, 64)}`
    if (this.#states.size < MAX_STATES || this.#states.has(key)) this.#states.set(key, state)
  }
}

const without: OnvifFault = {
  kind: 'badReply',
  detail: 'the camera has neither inputs nor outputs',
  isRefusal: true,
  isUnsupported: true,
}
