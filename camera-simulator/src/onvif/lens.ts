import type { OnvifDevice } from './device.ts'
import { child, getText, type SoapFault, type XmlNode } from './soap.ts'

const NAMESPACE = 'xmlns:timg="http://www.onvif.org/ver20/imaging/wsdl"'
/** At full speed, of a range from 0 (near) to 1 (far). */
const PER_SECOND = 0.4
const STEP = 0.1

const noLens: SoapFault = {
  code: 'Receiver',
  subcodes: ['ter:ActionNotSupported', 'ter:NoImagingForSource'],
  reason: 'The lens has no motor',
}

/** A lens with a motor: it moves until it is stopped or at its end. */
export class SimulatedLens {
  mode: 'AUTO' | 'MANUAL' = 'AUTO'
  #position = 0.5
  #speed = 0
  #since = performance.now()

  get position(): number {
    const now = performance.now()
    const moved = this.#position + ((this.#speed * (now - this.#since)) / 1000) * PER_SECOND
    this.#position = Math.min(1, Math.max(0, moved))
    this.#since = now
    return this.#position
  }

  get isMoving(): boolean {
    const { position } = this
    return this.#speed !== 0 && position > 0 && position < 1
  }

  move(speed: number): void {
    this.#position = this.position
    this.#speed = speed
  }

  step(distance: number): void {
    this.#position = Math.min(1, Math.max(0, this.position + distance * STEP))
    this.#speed = 0
  }
}

export function getMoveOptions(device: OnvifDevice): string | SoapFault {
  if (!device.hasPtz) return noLens
  const range = '<tt:Min>-1</tt:Min><tt:Max>1</tt:Max>'
  return (
    `<timg:GetMoveOptionsResponse ${NAMESPACE}><timg:MoveOptions>` +
    `<tt:Relative><tt:Distance>${range}</tt:Distance></tt:Relative>` +
    `<tt:Continuous><tt:Speed>${range}</tt:Speed></tt:Continuous>` +
    '</timg:MoveOptions></timg:GetMoveOptionsResponse>'
  )
}

/** A lens that focuses itself isn't moved (ONVIF Imaging §5.1.4). */
export function moveLens(device: OnvifDevice, body: XmlNode): string | SoapFault {
  const { lens } = device.settings
  if (!device.hasPtz) return noLens
  if (lens.mode === 'AUTO')
    return {
      code: 'Receiver',
      subcodes: ['ter:InvalidArgVal', 'ter:SettingsInvalid'],
      reason: 'The focus is automatic',
    }
  const focus = child(body, 'Focus')
  const speed = getText(child(child(focus, 'Continuous'), 'Speed'))
  const distance = getText(child(child(focus, 'Relative'), 'Distance'))
  if (speed !== undefined) lens.move(Number(speed))
  else if (distance !== undefined) lens.step(Number(distance))
  return `<timg:MoveResponse ${NAMESPACE}/>`
}

export function stopLens(device: OnvifDevice): string | SoapFault {
  if (!device.hasPtz) return noLens
  device.settings.lens.move(0)
  return `<timg:StopResponse ${NAMESPACE}/>`
}
