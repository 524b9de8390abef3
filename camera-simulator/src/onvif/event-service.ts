import { randomUUID } from 'node:crypto'
import type { EpochMs } from '../clock.ts'
import type { OnvifQuirk } from '../fault.ts'
import { paths } from './device.ts'
import type { PortMessage } from './io-service.ts'
import { child, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

const NAMESPACES =
  'xmlns:tev="http://www.onvif.org/ver10/events/wsdl" xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2" ' +
  'xmlns:wsa="http://www.w3.org/2005/08/addressing"'
const TOKEN_NAMESPACE = 'http://sightline.example/simulator'

const unknownSubscription: SoapFault = {
  code: 'Receiver',
  subcodes: ['wsrf-rw:ResourceUnknownFault'],
  reason: 'The subscription does not exist',
}
const refusedTime: SoapFault = {
  code: 'Sender',
  subcodes: ['wsnt:UnacceptableInitialTerminationTimeFault'],
  reason: 'The termination time is not acceptable',
}

export interface EventCamera {
  /** The state of its relays and inputs, for a new subscription. */
  readonly portStates: () => readonly PortMessage[]
  readonly now: () => EpochMs
  readonly has: (quirk: OnvifQuirk) => boolean
}

interface Subscription {
  readonly messages: string[]
  endsAt: EpochMs
  wake: () => void
}

const DURATION = /^PT(?:(\d+)M)?(?:(\d+)S)?$/
/** Longer ones are cut to this. */
const LONGEST_MS = 3_600_000
const MAX_MESSAGES = 1000

const dateTime = (at: EpochMs): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

/** Milliseconds of `PT10M` or `PT60S`. */
function durationOf(text: string | undefined): number | undefined {
  const found = DURATION.exec(text ?? '')
  return found === null ? undefined : (Number(found[1] ?? 0) * 60 + Number(found[2] ?? 0)) * 1000
}

/** ONVIF Core §9: subscriptions that are pulled, and the messages about motion. */
export class EventService {
  readonly #camera: EventCamera
  readonly #subscriptions = new Map<string, Subscription>()
  #isMoving = false
  #isTampered = false

  constructor(camera: EventCamera) {
    this.#camera = camera
  }

  /** Subscriptions that are in force. */
  get subscriptions(): number {
    this.#expire()
    return this.#subscriptions.size
  }

  /** Motion begins or ends before the camera. `at`: what the message says, by the camera's clock. */
  move(isMoving: boolean, at: EpochMs = this.#camera.now()): void {
    this.#isMoving = isMoving
    this.#expire()
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.messages.length < MAX_MESSAGES) subscription.messages.push(this.#message('Changed', at))
      subscription.wake()
    }
  }

  /** Someone covers the camera or turns it away, or that is over. */
  tamper(isTampered: boolean): void {
    this.#isTampered = isTampered
    this.#expire()
    for (const subscription of this.#subscriptions.values()) {
      subscription.messages.push(this.#tampering())
      subscription.wake()
    }
  }

  /** A rule or sensor of the camera reports something; without `value`, a moment. */
  detect(topic: string, item?: { readonly name: string; readonly value: boolean }): void {
    const data = item === undefined ? { name: 'ObjectId', value: '7' } : item
    this.#expire()
    for (const subscription of this.#subscriptions.values()) {
      subscription.messages.push(this.#ruleMessage(topic, data))
      subscription.wake()
    }
  }

  /** A relay or an input changes. */
  port(message: PortMessage): void {
    this.#expire()
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.messages.length < MAX_MESSAGES) subscription.messages.push(this.#portMessage('Changed', message))
      subscription.wake()
    }
  }

  /** All subscriptions are gone, as after a restart of the camera. */
  forget(): void {
    for (const { wake } of this.#subscriptions.values()) wake()
    this.#subscriptions.clear()
  }

  create(base: string, body: XmlNode): string | SoapFault {
    const endsAt = this.#termination(getText(child(body, 'InitialTerminationTime')))
    if (endsAt === undefined) return refusedTime
    const token = randomUUID()
    this.#subscriptions.set(token, { messages: [], endsAt, wake: () => undefined })
    const parameters = `<wsa:ReferenceParameters><sim:Subscription xmlns:sim="${TOKEN_NAMESPACE}">${token}</sim:Subscription></wsa:ReferenceParameters>`
    return (
      `<tev:CreatePullPointSubscriptionResponse ${NAMESPACES}><tev:SubscriptionReference>` +
      `<wsa:Address>${escapeXml(base + paths.subscription)}</wsa:Address>${parameters}</tev:SubscriptionReference>` +
      `${this.#times(endsAt)}</tev:CreatePullPointSubscriptionResponse>`
    )
  }

  /** Waits until there is something to report, or for the time that the caller gave. */
  async pull(header: XmlNode | undefined, body: XmlNode, isGone: () => boolean): Promise<string | SoapFault> {
    const subscription = this.#find(header)
    if (subscription === undefined) return unknownSubscription
    const timeoutMs = durationOf(getText(child(body, 'Timeout'))) ?? 0
    const until = Date.now() + timeoutMs
    const isSilent = () => this.#camera.has('events-silent')
    while ((subscription.messages.length === 0 && Date.now() < until) || isSilent()) {
      if (isGone() || this.#find(header) === undefined) break
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50)
        subscription.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    if (this.#find(header) === undefined) return unknownSubscription
    const limit = Number(getText(child(body, 'MessageLimit')) ?? MAX_MESSAGES)
    const messages = subscription.messages.splice(0, limit).join('')
    return `<tev:PullMessagesResponse ${NAMESPACES}>${this.#times(subscription.endsAt)}${messages}</tev:PullMessagesResponse>`
  }

  /** ONVIF Core §9.6: the topics that this camera reports. */
  properties(): string {
    return (
      `<tev:GetEventPropertiesResponse ${NAMESPACES} xmlns:wstop="http://docs.oasis-open.org/wsn/t-1" ` +
      'xmlns:tns1="http://www.onvif.org/ver10/topics"><wstop:TopicSet><tns1:RuleEngine><CellMotionDetector>' +
      '<Motion wstop:topic="true"/></CellMotionDetector></tns1:RuleEngine></wstop:TopicSet></tev:GetEventPropertiesResponse>'
    )
  }

  synchronize(header: XmlNode | undefined): string | SoapFault {
    const subscription = this.#find(header)
    if (subscription === undefined) return unknownSubscription
    subscription.messages.push(this.#message('Initialized', this.#camera.now()))
    for (const state of this.#camera.portStates()) subscription.messages.push(this.#portMessage('Initialized', state))
    return `<tev:SetSynchronizationPointResponse ${NAMESPACES}/>`
  }

  renew(header: XmlNode | undefined, body: XmlNode): string | SoapFault {
    const subscription = this.#find(header)
    const endsAt = this.#termination(getText(child(body, 'TerminationTime')))
    if (subscription === undefined) return unknownSubscription
    if (endsAt === undefined) return refusedTime
    subscription.endsAt = endsAt
    return `<wsnt:RenewResponse ${NAMESPACES}>${this.#times(endsAt)}</wsnt:RenewResponse>`
  }

  unsubscribe(header: XmlNode | undefined): string | SoapFault {
    const token = tokenOf(header)
    if (!this.#subscriptions.delete(token ?? '')) return unknownSubscription
    return `<wsnt:UnsubscribeResponse ${NAMESPACES}/>`
  }

  #find(header: XmlNode | undefined): Subscription | undefined {
    this.#expire()
    return this.#subscriptions.get(tokenOf(header) ?? '')
  }

  #expire(): void {
    for (const [token, { endsAt }] of this.#subscriptions)
      if (endsAt <= this.#camera.now()) this.#subscriptions.delete(token)
  }

  #termination(asked: string | undefined): EpochMs | undefined {
    const now = this.#camera.now()
    const duration = durationOf(asked)
    // Some firmware takes a duration for a minute, and obeys only a time.
    if (duration !== undefined && this.#camera.has('absolute-termination')) return now + 60_000
    const ends = duration === undefined ? Date.parse(asked ?? '') : now + duration
    return ends > now && ends <= now + LONGEST_MS ? ends : undefined
  }

  #times(endsAt: EpochMs): string {
    return (
      `<wsnt:CurrentTime>${dateTime(this.#camera.now())}</wsnt:CurrentTime>` +
      `<wsnt:TerminationTime>${dateTime(endsAt)}</wsnt:TerminationTime>`
    )
  }

  #tampering(): string {
    const dialect = 'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet'
    return (
      `<wsnt:NotificationMessage><wsnt:Topic Dialect="${dialect}">tns1:RuleEngine/TamperDetector/Tamper</wsnt:Topic>` +
      `<wsnt:Message><tt:Message UtcTime="${dateTime(this.#camera.now())}" PropertyOperation="Changed">` +
      '<tt:Source><tt:SimpleItem Name="VideoSourceConfigurationToken" Value="source-main"/></tt:Source>' +
      `<tt:Data><tt:SimpleItem Name="IsTamper" Value="${this.#isTampered}"/></tt:Data>` +
      '</tt:Message></wsnt:Message></wsnt:NotificationMessage>'
    )
  }

  #ruleMessage(topic: string, { name, value }: { readonly name: string; readonly value: boolean | string }): string {
    const dialect = 'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet'
    return (
      `<wsnt:NotificationMessage><wsnt:Topic Dialect="${dialect}">tns1:${topic}</wsnt:Topic><wsnt:Message>` +
      `<tt:Message UtcTime="${dateTime(this.#camera.now())}" PropertyOperation="Changed">` +
      '<tt:Source><tt:SimpleItem Name="VideoSourceConfigurationToken" Value="source-main"/></tt:Source>' +
      `<tt:Data><tt:SimpleItem Name="${name}" Value="${value}"/></tt:Data>` +
      '</tt:Message></wsnt:Message></wsnt:NotificationMessage>'
    )
  }

  #portMessage(operation: 'Initialized' | 'Changed', { topic, item, token, state }: PortMessage): string {
    const dialect = 'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet'
    return (
      `<wsnt:NotificationMessage><wsnt:Topic Dialect="${dialect}">tns1:${topic}</wsnt:Topic><wsnt:Message>` +
      `<tt:Message UtcTime="${dateTime(this.#camera.now())}" PropertyOperation="${operation}">` +
      `<tt:Source><tt:SimpleItem Name="${item}" Value="${escapeXml(token)}"/></tt:Source>` +
      `<tt:Data><tt:SimpleItem Name="LogicalState" Value="${state}"/></tt:Data>` +
      '</tt:Message></wsnt:Message></wsnt:NotificationMessage>'
    )
  }

  #message(operation: 'Initialized' | 'Changed', at: EpochMs): string {
    const topic = this.#camera.has('topic-slashes')
      ? 'tns1:RuleEngine/CellMotionDetector/Motion//.'
      : 'tns1:RuleEngine/CellMotionDetector/Motion'
    const dialect = 'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet'
    const topicElement = this.#camera.has('missing-topic')
      ? ''
      : `<wsnt:Topic Dialect="${dialect}">${topic}</wsnt:Topic>`
    const time = this.#camera.has('zero-date') ? '0000-00-00T00:00:00Z' : dateTime(at)
    return (
      `<wsnt:NotificationMessage>${topicElement}<wsnt:Message><tt:Message UtcTime="${time}" PropertyOperation="${operation}">` +
      '<tt:Source><tt:SimpleItem Name="VideoSourceConfigurationToken" Value="source-main"/>' +
      '<tt:SimpleItem Name="Rule" Value="MyMotionDetectorRule"/></tt:Source>' +
      `<tt:Data><tt:SimpleItem Name="IsMotion" Value="${this.#isMoving}"/></tt:Data>` +
      '</tt:Message></wsnt:Message></wsnt:NotificationMessage>'
    )
  }
}

const tokenOf = (header: XmlNode | undefined): string | undefined => getText(child(header, 'Subscription'))
