/** An object with an owner. Its texts contain a unique mark, so that a reply that leaks it is detected. */
export interface OwnedObject {
  readonly kind:
    | 'account'
    | 'person'
    | 'camera'
    | 'zone'
    | 'device'
    | 'deviceJob'
    | 'cameraJob'
    | 'recordingLock'
    | 'recordingDeletion'
    | 'export'
    | 'share'
    | 'cameraGroup'
    | 'sequence'
    | 'layout'
    | 'cameraTransfer'
    | 'cameraOffer'
    | 'profile'
    | 'apiKey'
    | 'package'
    | 'reseller'
    | 'distributor'
    | 'staff'
    | 'auditLine'
    | 'token'
    | 'session'
    | 'report'
    | 'reportSchedule'
    | 'mobileSubscription'
    | 'firmwareImage'
    | 'setupCode'
    | 'event'
    | 'pushDevice'
    | 'passkey'
    | 'job'
    /** No one may see it. */
    | 'secret'
  readonly id: number
  readonly accountId?: number
  readonly resellerId?: number
  readonly distributorId?: number
  /** For a camera, or an audit entry about one. */
  readonly cameraId?: number
  readonly zoneId?: number
}

const MARK = /cny\d+z/gi
const NUMBER = /\d{10,16}/g

/** All marks and ids handed out, and their objects. */
export class Canaries {
  readonly #byMark = new Map<string, OwnedObject>()
  readonly #byId = new Map<number, OwnedObject>()

  /** A mark for the object's texts; its id counts as a mark from then on. */
  mark(owned: OwnedObject): string {
    const mark = `cny${this.#byMark.size + 1}z`
    this.#byMark.set(mark, owned)
    if (owned.kind !== 'secret' && owned.kind !== 'auditLine') this.#byId.set(owned.id, owned)
    return mark
  }

  /** The mark in the object's texts. */
  markOf(kind: OwnedObject['kind'], id: number): string {
    const found = [...this.#byMark].find(([, owned]) => owned.kind === kind && owned.id === id)
    if (found === undefined) throw new Error(`no ${kind} ${id} was marked`)
    return found[0]
  }

  /** The objects that appear in a text, each once. */
  shownIn(text: string): readonly OwnedObject[] {
    const shown = new Set<OwnedObject>()
    for (const [mark] of text.matchAll(MARK)) add(shown, this.#byMark.get(mark.toLowerCase()))
    for (const [digits] of text.matchAll(NUMBER)) add(shown, this.#byId.get(Number(digits)))
    return [...shown]
  }
}

function add(to: Set<OwnedObject>, owned: OwnedObject | undefined): void {
  if (owned !== undefined) to.add(owned)
}
