/** What belongs to somebody: its texts hold a mark like no other, so that a reply that shows it is found out. */
export interface OwnedObject {
  readonly kind:
    | 'account'
    | 'person'
    | 'camera'
    | 'zone'
    | 'device'
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
    | 'pushDevice'
    | 'passkey'
    | 'job'
    /** Nobody at all may see it. */
    | 'secret'
  readonly id: number
  readonly accountId?: number
  readonly resellerId?: number
  readonly distributorId?: number
  /** Of a camera; of an entry of the audit log about one. */
  readonly cameraId?: number
  readonly zoneId?: number
}

const MARK = /cny\d+z/gi
const NUMBER = /\d{10,16}/g

/** Every mark and id that was given out, and whose it is. */
export class Canaries {
  readonly #byMark = new Map<string, OwnedObject>()
  readonly #byId = new Map<number, OwnedObject>()

  /** A mark for texts of that thing; its id counts as one from then on. */
  mark(owned: OwnedObject): string {
    const mark = `cny${this.#byMark.size + 1}z`
    this.#byMark.set(mark, owned)
    if (owned.kind !== 'secret' && owned.kind !== 'auditLine') this.#byId.set(owned.id, owned)
    return mark
  }

  /** The mark in the texts of that thing. */
  markOf(kind: OwnedObject['kind'], id: number): string {
    const found = [...this.#byMark].find(([, owned]) => owned.kind === kind && owned.id === id)
    if (found === undefined) throw new Error(`no ${kind} ${id} was marked`)
    return found[0]
  }

  /** Whatever is shown in a text, each once. */
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
