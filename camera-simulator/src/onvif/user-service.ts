import { child, escapeXml, getText, notAuthorized, type SoapFault, type XmlNode } from './soap.ts'

export interface SimulatedUserSettings {
  /** Whether the users of ONVIF are others than those of the streams, which keep their passwords. */
  readonly apart: boolean
  readonly minLength: number
  readonly maxLength: number
  /** Level of the user that clients sign in with. */
  readonly level: 'Administrator' | 'Operator'
}

export interface SimulatedUser {
  readonly username: string
  readonly password: string
}

const fault = (detail: string, reason: string): SoapFault => ({
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', `ter:${detail}`],
  reason,
})

/** The user of a camera (ONVIF Core §8.4). */
export class UserService {
  readonly #settings: SimulatedUserSettings
  readonly #initial: SimulatedUser
  readonly #onChange: () => void
  #password: string
  /** SetUser is answered and not done. */
  ignores = false
  /** SetUser is done and not answered. */
  isSilent = false

  constructor(user: SimulatedUser, settings: SimulatedUserSettings, onChange: () => void) {
    this.#initial = user
    this.#settings = settings
    this.#onChange = onChange
    this.#password = user.password
  }

  /** As ONVIF takes it. */
  get account(): SimulatedUser {
    return { username: this.#initial.username, password: this.#password }
  }

  /** Of basic authentication. */
  get basicHeader(): string {
    return `Basic ${Buffer.from(`${this.#initial.username}:${this.#password}`).toString('base64')}`
  }

  /** As the streams take it. */
  get streamAccount(): SimulatedUser {
    return this.#settings.apart ? this.#initial : this.account
  }

  /** Undefined: the operation isn't known. */
  perform(operation: string, body: XmlNode): string | SoapFault | undefined {
    const { level } = this.#settings
    if (operation === 'GetUsers')
      return (
        `<tds:GetUsersResponse><tds:User><tt:Username>${escapeXml(this.account.username)}</tt:Username>` +
        `<tt:UserLevel>${level}</tt:UserLevel></tds:User></tds:GetUsersResponse>`
      )
    if (operation !== 'SetUser') return undefined
    return level === 'Administrator' ? this.#set(child(body, 'User')) : notAuthorized
  }

  #set(user: XmlNode | undefined): string | SoapFault {
    const password = getText(child(user, 'Password')) ?? ''
    if (getText(child(user, 'Username')) !== this.account.username) return fault('UsernameMissing', 'No such user')
    if (child(user, 'UserLevel') === undefined) return fault('InvalidArgs', 'No level')
    if (password.length < this.#settings.minLength) return fault('PasswordTooWeak', 'Too weak')
    if (password.length > this.#settings.maxLength) return fault('PasswordTooLong', 'Too long')
    if (!this.ignores) {
      this.#password = password
      this.#onChange()
    }
    return '<tds:SetUserResponse/>'
  }
}
