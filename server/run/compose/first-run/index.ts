import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Auth, failures } from '@sightline/auth'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import type { BrandSource } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type DatabaseConnection, type Db, idSource, openDatabase } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { answerFirstRun, FIRST_RUN_PATH, type PageDeps, sha256Hex } from './page.ts'
import { admitFirstUser, type Creation, createFirstUser, isValidCode } from './store.ts'

type Handle = (req: IncomingMessage, res: ServerResponse) => void

/** The one-time setup link of an installation without users. */
export interface FirstRun {
  /** Path and code of the link. Printed once and never stored: the database has only its SHA-256. */
  readonly link: string
  /** Serves the page of the link; everything else goes to `otherwise`. */
  before(otherwise: Handle): Handle
}

export interface FirstRunDeps {
  readonly connection: DatabaseConnection
  /** Under the role `auth`. */
  readonly authDb: Db
  readonly auth: Pick<Auth, 'plane'>
  readonly brands: BrandSource
  readonly pages: SignInPages
  readonly log: Logger
}

/** Creates a new link if the installation has no users, which replaces an earlier start's; otherwise undefined. */
export async function prepareFirstRun(deps: FirstRunDeps): Promise<FirstRun | undefined> {
  const { connection, authDb, brands, pages, log } = deps
  const code = randomBytes(32).toString('base64url')
  const openOwner = () =>
    openDatabase({ connection, role: 'owner', maxConnections: 2, applicationName: 'sightline-first-run', log })
  {
    await using owner = openOwner()
    if (!(await admitFirstUser(owner, sha256Hex(code)))) return undefined
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const create = async (creation: Omit<Creation, 'timeZone'>): Promise<boolean> => {
    // Open only briefly: the rest of the running product can't create accounts.
    await using owner = openOwner()
    return await createFirstUser({ ...creation, timeZone }, { owner, ids: idSource(owner), auth: deps.auth.plane })
  }
  const page: PageDeps = {
    brands,
    pages,
    log,
    failures: failures(authDb, systemClock),
    isValidCode: (codeSha256) => isValidCode(authDb, codeSha256),
    create,
  }
  return {
    link: `${FIRST_RUN_PATH}?code=${code}`,
    before: (otherwise) => (req, res) =>
      (req.url ?? '').split('?', 1)[0] === FIRST_RUN_PATH ? void answerFirstRun(req, res, page) : otherwise(req, res),
  }
}
