import { foldEmail } from '@sightline/contract/user-details'
import { type Clock, MS_PER_DAY } from '@sightline/platform/clock'
import type { Db, Tx } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import { renderEmail } from '@sightline/platform/mail'
import { ok } from '@sightline/platform/result'
import { findMailBrand, type SignInMailDeps } from '../people/email-templates/index.ts'
import { noteToOwner, questionMail } from './email-changes/index.ts'
import { passwordLinkMail } from './password-links/index.ts'
import { emailChangedEmail } from './sign-in-mails/index.ts'
import { findRequest, forgetRequests, type RequestedMail, removeRequest } from './store.ts'

type Write = (tx: Tx) => Promise<unknown>

/** For an email that is no longer useful. */
const writeNothing: Write = () => Promise.resolve()

/**
 * Writes the emails that the API requests (docs/decisions/0042). The one-time secret of a link is created here and
 * appears only in the email, which is encrypted until it is sent.
 */
export const accountMailTasks = (deps: SignInMailDeps): JobTasks => ({
  writeMail: {
    async run(key) {
      const request = await findRequest(deps.db, key)
      const write: Write = request === undefined ? writeNothing : await writerOf(request, deps)
      await deps.db.transaction(async (tx) => {
        if (await removeRequest(tx, key)) await write(tx)
      })
      return ok(undefined)
    },
  },
})

/** Longer than any limit counts requests. */
const KEPT_MS = 7 * MS_PER_DAY

/** Deletes requests whose job was discarded. */
export const sweepRequests = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> =>
  forgetRequests(db, clock.now() - KEPT_MS)

async function writerOf(request: RequestedMail, deps: SignInMailDeps): Promise<Write> {
  const { kind, accountId, mailId, to, askedBy } = request
  switch (kind) {
    case 'invitation':
    case 'reset': {
      // A link stops working once the user's address changes.
      if (foldEmail(to) !== foldEmail(request.email)) return writeNothing
      const { link, mail } = await passwordLinkMail({ ...request, kind, invitedBy: askedBy }, deps)
      return async (tx) => {
        await link(tx)
        await deps.outbox.add(tx, { ...mail, mailId })
      }
    }
    case 'emailChange':
      return questionMail(request, deps)
    case 'emailChangeNote':
      return noteToOwner(request, deps)
    case 'newEmail': {
      const { theme, origin } = await findMailBrand(request, deps)
      const template = emailChangedEmail({ language: request.language, company: theme.companyName, changedBy: askedBy })
      const content = renderEmail(template, { theme, origin })
      return (tx) => deps.outbox.add(tx, { ...content, accountId, mailId, to, kind })
    }
  }
}
