import fc from 'fast-check'
import * as z from 'zod/mini'
import { MotionSpans } from '../../server/media/src/source/onvif/motion-spans.ts'
import { motionNotices, pullShape } from '../../server/media/src/source/onvif/notification.ts'
import { clockShape, toCameraTime } from '../../server/media/src/source/onvif/onvif-clock.ts'
import { onReachedHost } from '../../server/media/src/source/onvif/onvif-services.ts'
import { referenceHeaders } from '../../server/media/src/source/onvif/reference-parameters.ts'
import { parseReply } from '../../server/media/src/source/onvif/soap.ts'
import { decodeXml } from '../../server/media/src/source/onvif/xml.ts'

const wrap = (body: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:tt="http://www.onvif.org/ver10/schema"><s:Body>${body}</s:Body></s:Envelope>`

/** Replies as cameras send them, for mutation. */
const SAMPLES: readonly (readonly [operation: string, xml: string])[] = [
  [
    'GetSystemDateAndTime',
    '<GetSystemDateAndTimeResponse><SystemDateAndTime><UTCDateTime><Time><Hour>10</Hour><Minute>0</Minute><Second>0</Second></Time>' +
      '<Date><Year>2026</Year><Month>2</Month><Day>3</Day></Date></UTCDateTime></SystemDateAndTime></GetSystemDateAndTimeResponse>',
  ],
  [
    'PullMessages',
    '<PullMessagesResponse><CurrentTime>2026-01-01T00:00:00Z</CurrentTime><TerminationTime>2026-01-01T00:10:00Z</TerminationTime>' +
      '<NotificationMessage><Topic>tns1:RuleEngine/CellMotionDetector/Motion</Topic><Message><tt:Message UtcTime="2026-01-01T00:00:00Z" PropertyOperation="Changed">' +
      '<tt:Source><tt:SimpleItem Name="Rule" Value="r"/></tt:Source><tt:Data><tt:SimpleItem Name="IsMotion" Value="true"/></tt:Data></tt:Message></Message>' +
      '</NotificationMessage></PullMessagesResponse>',
  ],
  [
    'CreatePullPointSubscription',
    '<CreatePullPointSubscriptionResponse xmlns:w="http://www.w3.org/2005/08/addressing"><SubscriptionReference><w:Address>http://192.0.2.1/sub</w:Address>' +
      '<w:ReferenceParameters><d:Id xmlns:d="urn:d">7</d:Id></w:ReferenceParameters></SubscriptionReference></CreatePullPointSubscriptionResponse>',
  ],
  [
    'GetProfiles',
    '<Fault><Code><Value>s:Sender</Value><Subcode><Value>ter:NotAuthorized</Value></Subcode></Code><Reason><Text>no</Text></Reason></Fault>',
  ],
]

const change = fc.record({
  at: fc.nat(4000),
  remove: fc.nat(64),
  insert: fc.oneof(
    fc.string({ maxLength: 16 }),
    fc.constantFrom(
      '<',
      '</',
      '/>',
      '<a>',
      '<![CDATA[',
      ']]>',
      '<!--',
      '&#0;',
      '&#xD800;',
      '&amp;',
      '&lt;!DOCTYPE',
      '<__proto__>',
      'constructor',
      'toString',
      '9'.repeat(400),
      '-1',
      '<b>'.repeat(100),
      '\uFEFF',
      '\0',
      'xmlns:s=""',
      '@UtcTime',
      '#text',
    ),
  ),
})
const cut = fc.record({ sample: fc.nat(SAMPLES.length - 1), changes: fc.array(change, { maxLength: 8 }) })

/** What is read of a reply, whatever it is: nothing of it may throw, hang or grow. */
function readReply(operation: string, bytes: Uint8Array): void {
  const xml = decodeXml(bytes)
  const reply = parseReply(xml, operation)
  const headers = referenceHeaders(xml)
  if (headers.length > 16_384) throw new Error('headers that grow')
  if (reply?.kind !== 'reply') return
  const clock = z.safeParse(clockShape, reply.body)
  const time = clock.success ? toCameraTime(clock.data) : undefined
  if (time !== undefined) new Date(time).toISOString()
  const pulled = z.safeParse(pullShape, reply.body)
  const spans = new MotionSpans()
  for (const notice of pulled.success ? motionNotices(pulled.data) : []) spans.take(notice, 0, 0)
  const place = onReachedHost({ host: '192.0.2.9', port: 80, path: '/' }, xml.slice(0, 200), undefined)
  if (place !== undefined && place.host !== '192.0.2.9') throw new Error('another host')
}

/** Reads so many mutated replies. Throws if one of them makes reading fail. */
export function readMutatedReplies(numRuns: number, seed: number): void {
  fc.assert(
    fc.property(cut, ({ sample, changes }) => {
      const [operation, body] = SAMPLES[sample] ?? ['', '']
      let xml = wrap(body)
      for (const { at, remove, insert } of changes) {
        const place = at % (xml.length + 1)
        xml = xml.slice(0, place) + insert + xml.slice(place + remove)
      }
      readReply(operation, Buffer.from(xml, changes.length === 7 ? 'latin1' : 'utf8'))
    }),
    { numRuns, seed },
  )
}
