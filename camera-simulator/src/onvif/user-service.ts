import { child, children, escapeXml, getText, notAuthorized, type SoapFault, type XmlNode } from './soap.ts'

export interface SimulatedUserSettings {
  /** Whether the users of ONVIF are others than those of the streams, which keep their passwords. */
  readonly apart: boolean
  readonly minLength: number
  readonly maxLength: number
  /** Level of the user that clients sign in with. */
  readonly level: 'Administrator' | 'Operator'
  /** How many users it has at most. */
  readonly most: number
  /** Whether it lists users with their passwords, which ONVIF forbids. */
  readonly tellsPasswords: boolean
  /** Whether SetUser is answered and leaves the password as it was. */
  readonly keepsPasswords: boolean
}

export interface SimulatedUser {
  readonly username: string
  readonly password: string
}

interface ListedUser extends SimulatedUser {
  readonly level: string
}

const fault = (detail: string, reason: string): SoapFault => ({
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', `ter:${detail}`],
  reason,
})

/** The users of a camera (ONVIF Core §8.4): the one that clients sign in with, and those that were added. */
export class UserService {
  readonly #settings: SimulatedUserSettings
  readonly #initial: SimulatedUser
  readonly #onChange: () => void
  readonly #users: Map<string, ListedUser>
  /** Changes are answered and not done. */
  ignores = false
  /** SetUser is done and not answered. */
  isSilent = false

  constructor(user: SimulatedUser, settings: SimulatedUserSettings, onChange: () => void) {
    this.#initial = user
    this.#settings = settings
    this.#onChange = onChange
    this.#users = new Map([[user.username, { ...user, level: settings.level }]])
  }

  /** Of the one that clients sign in with, as ONVIF takes it. */
  get account(): SimulatedUser {
    return this.#users.get(this.#initial.username) ?? this.#initial
  }

  /** All of them. */
  get list(): readonly ListedUser[] {
    return [...this.#users.values()]
  }

  find(username: string): SimulatedUser | undefined {
    return this.#users.get(username)
  }

  /** Of basic authentication. */
  get basicHeader(): string {
    return `Basic ${Buffer.from(`${this.#initial.username}:${this.account.password}`).toString('base64')}`
  }

  /** As the streams take it. */
  get streamAccount(): SimulatedUser {
    return this.#settings.apart ? this.#initial : this.account
  }

  /** Undefined: the operation isn't known. */
  perform(operation: string, body: XmlNode): string | SoapFault | undefined {
    const { level } = this.#settings
    if (operation === 'GetUsers') return this.#listed()
    const change = { SetUser: this.#set, CreateUsers: this.#create, DeleteUsers: this.#delete }[operation]
    if (change === undefined) return undefined
    if (level !== 'Administrator') return notAuthorized
    return change.call(this, body) ?? `<tds:${operation}Response/>`
  }

  #listed(): string {
    const users = this.list.map(
      ({ username, password, level }) =>
        `<tds:User><tt:Username>${escapeXml(username)}</tt:Username>` +
        `${this.#settings.tellsPasswords ? `<tt:Password>${escapeXml(password)}</tt:Password>` : ''}` +
        `<tt:UserLevel>${level}</tt:UserLevel></tds:User>`,
    )
    return `<tds:GetUsersResponse>${users.join('')}</tds:GetUsersResponse>`
  }

  #set(body: XmlNode): SoapFault | undefined {
    const user = toUser(child(body, 'User'))
    const known = this.#users.get(user.username)
    if (known === undefined) return fault('UsernameMissing', 'No such user')
    if (user.level === undefined) return fault('InvalidArgs', 'No level')
    const { level } = user
    const password = (this.#settings.keepsPasswords ? undefined : user.password) ?? known.password
    return this.#passwordFault(password) ?? this.#keep({ username: user.username, password, level })
  }

  #create(body: XmlNode): SoapFault | undefined {
    const { username, password = '', level = 'User' } = toUser(child(body, 'User'))
    if (this.#users.has(username)) return fault('UsernameClash', 'Taken')
    if (this.#users.size >= this.#settings.most) return fault('TooManyUsers', 'Too many users')
    return this.#passwordFault(password) ?? this.#keep({ username, password, level })
  }

  #delete(body: XmlNode): SoapFault | undefined {
    const names = children(body, 'Username').map((name) => getText(name) ?? '')
    if (names.some((name) => !this.#users.has(name))) return fault('UsernameMissing', 'No such user')
    if (names.includes(this.#initial.username)) return fault('FixedUser', 'This user stays')
    if (!this.ignores) for (const name of names) this.#users.delete(name)
    return undefined
  }

  #passwordFault(password: string): SoapFault | undefined {
    if (password.length < this.#settings.minLength) return fault('PasswordTooWeak', 'Too weak')
    return password.length > this.#settings.maxLength ? fault('PasswordTooLong', 'Too long') : undefined
  }

  #keep(user: ListedUser): undefined {
    if (this.ignores) return
    this.#users.set(user.username, user)
    if (user.username === this.#initial.username) this.#onChange()
  }
}

const toUser = (node: XmlNode | undefined) => ({
  username: getText(child(node, 'Username')) ?? '',
  password: getText(child(node, 'Password')),
  level: getText(child(node, 'UserLevel')),
})
