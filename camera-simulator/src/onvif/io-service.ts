import { child, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

const NAMESPACE = 'xmlns:tmd="http://www.onvif.org/ver10/deviceIO/wsdl"'

const noSuchRelay: SoapFault = {
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', 'ter:RelayToken'],
  reason: 'The relay does not exist',
}

export interface IoPorts {
  readonly relays: number
  readonly inputs: number
  /** The last relay goes back after so many seconds; 0: none does. */
  readonly pulseSeconds: number
}

/** Relay outputs and digital inputs of a camera (ONVIF Core §8.6, Device IO §5). */
export class IoService {
  readonly #ports: IoPorts
  readonly #onChange: (message: PortMessage) => void
  readonly #active = new Set<string>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(ports: IoPorts, onChange: (message: PortMessage) => void) {
    this.#ports = ports
    this.#onChange = onChange
  }

  /** Whether a contact is closed, by its token: `relay1`, `input1`. */
  isActive(token: string): boolean {
    return this.#active.has(token)
  }

  /** Somebody presses the button at an input, or lets it go. */
  setInput(number: number, isActive: boolean): void {
    this.#set(`input${number}`, isActive)
  }

  /** The state of everything, as it is reported to a new subscription. */
  states(): readonly PortMessage[] {
    return [...this.#tokens('relay'), ...this.#tokens('input')].map((token) => this.#message(token))
  }

  /** undefined: the operation isn't known. `prefix`: of the service that is asked. */
  perform(operation: string, body: XmlNode, prefix: 'tds' | 'tmd'): string | SoapFault | undefined {
    if (operation === 'GetRelayOutputs' && this.#ports.relays > 0) return this.#relays(prefix)
    if (operation === 'GetDigitalInputs' && prefix === 'tmd' && this.#ports.inputs > 0) return this.#inputs()
    if (operation !== 'SetRelayOutputState' || this.#ports.relays === 0) return undefined
    const token = getText(child(body, 'RelayOutputToken')) ?? ''
    if (!this.#tokens('relay').includes(token)) return noSuchRelay
    this.#switch(token, getText(child(body, 'LogicalState')) === 'active')
    return `<${prefix}:SetRelayOutputStateResponse${this.#namespace(prefix)}/>`
  }

  #switch(token: string, isActive: boolean): void {
    clearTimeout(this.#timers.get(token))
    this.#set(token, isActive)
    const pulse = this.#pulseOf(token)
    if (!isActive || pulse === 0) return
    this.#timers.set(token, setTimeout(() => this.#set(token, false), pulse * 1000).unref())
  }

  #set(token: string, isActive: boolean): void {
    if (isActive) this.#active.add(token)
    else this.#active.delete(token)
    this.#onChange(this.#message(token))
  }

  #message(token: string): PortMessage {
    const isRelay = token.startsWith('relay')
    const active = this.#active.has(token)
    return isRelay
      ? { topic: 'Device/Trigger/Relay', item: 'RelayToken', token, state: active ? 'active' : 'inactive' }
      : { topic: 'Device/Trigger/DigitalInput', item: 'InputToken', token, state: String(active) }
  }

  #tokens(kind: 'relay' | 'input'): readonly string[] {
    const { relays, inputs } = this.#ports
    return Array.from({ length: kind === 'relay' ? relays : inputs }, (_, index) => `${kind}${index + 1}`)
  }

  #pulseOf(token: string): number {
    const { relays, pulseSeconds } = this.#ports
    return token === `relay${relays}` ? pulseSeconds : 0
  }

  #relays(prefix: 'tds' | 'tmd'): string {
    const listed = this.#tokens('relay').map((token) => {
      const pulse = this.#pulseOf(token)
      return (
        `<${prefix}:RelayOutputs token="${escapeXml(token)}"><tt:Properties><tt:Mode>${pulse > 0 ? 'Monostable' : 'Bistable'}</tt:Mode>` +
        `<tt:DelayTime>PT${pulse}S</tt:DelayTime><tt:IdleState>open</tt:IdleState></tt:Properties></${prefix}:RelayOutputs>`
      )
    })
    return `<${prefix}:GetRelayOutputsResponse${this.#namespace(prefix)}>${listed.join('')}</${prefix}:GetRelayOutputsResponse>`
  }

  #inputs(): string {
    const listed = this.#tokens('input').map((token) => `<tmd:DigitalInputs token="${escapeXml(token)}"/>`)
    return `<tmd:GetDigitalInputsResponse ${NAMESPACE}>${listed.join('')}</tmd:GetDigitalInputsResponse>`
  }

  /** That of the device service is declared by the envelope. */
  #namespace(prefix: 'tds' | 'tmd'): string {
    return prefix === 'tmd' ? ` ${NAMESPACE}` : ''
  }
}

/** What is reported about a port. */
export interface PortMessage {
  readonly topic: string
  readonly item: string
  readonly token: string
  readonly state: string
}
