import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ok } from '../result/index.ts'
import type { Deliver, Mail } from './delivery.ts'

/** Only the newest ones are kept. */
const MAX_KEPT = 200

const capturedMail = z.object({
  id: z.string(),
  to: z.string(),
  date: z.number(),
  senderName: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  language: z.string(),
})
/** An email that was stored instead of sent, with the pictures of its document. */
export type CapturedMail = z.infer<typeof capturedMail>

/**
 * Emails that stay on this machine: each is a file that only its owner can read, because it may contain a link that
 * opens an account.
 */
export interface MailFolder {
  readonly deliver: Deliver
  /** Newest first. */
  list(): Promise<readonly CapturedMail[]>
  /** By its id, or undefined. */
  find(id: string): Promise<CapturedMail | undefined>
}

const NAME = /^\d{15}-[\d.]{1,40}\.json$/

/** The time first, so that names are in order. */
const fileNameOf = ({ date, id }: Pick<Mail, 'date' | 'id'>): string => `${String(date).padStart(15, '0')}-${id}.json`

/** Stores emails in that folder, which is created if missing; files end in `.json`. */
export function mailFolder(folder: string): MailFolder {
  const names = async (): Promise<string[]> => {
    const all = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return all.filter((name) => NAME.test(name)).toSorted((a, b) => (a < b ? 1 : -1))
  }
  const read = async (name: string): Promise<CapturedMail | undefined> => {
    // Another process may be deleting it as one of the oldest.
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    const parsed = capturedMail.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  }
  return {
    async deliver(mail) {
      await keep(folder, mail)
      for (const name of (await names()).slice(MAX_KEPT)) await rm(join(folder, name), { force: true })
      return ok(undefined)
    },
    async list() {
      const mails = await Promise.all((await names()).map(read))
      return mails.filter((mail) => mail !== undefined)
    },
    async find(id) {
      const name = (await names()).find((candidate) => candidate.endsWith(`-${id}.json`))
      return name === undefined ? undefined : read(name)
    },
  }
}

/** Complete or missing, never partial. */
async function keep(folder: string, mail: Mail): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const { id, to, date, senderName, subject, text, language } = mail
  const kept: CapturedMail = { id, to, date, senderName, subject, text, html: withPictures(mail), language }
  const unfinished = join(folder, `${randomUUID()}.new`)
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(kept, undefined, 2)}\n`)
  } finally {
    await handle.close()
  }
  await rename(unfinished, join(folder, fileNameOf(mail)))
}

const withPictures = ({ html, pictures }: Mail): string =>
  pictures.reduce(
    (text, { name, type, base64 }) => text.replaceAll(`cid:${name}`, `data:${type};base64,${base64}`),
    html,
  )
