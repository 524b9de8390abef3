import { open, rm } from 'node:fs/promises'
import { planClip } from '@sightline/media/clips'
import { ClipExport, manifestBox } from '@sightline/media/footage-proof'
import { listStreams } from '@sightline/media/recording'
import { fail, ok, type Result } from '@sightline/platform/result'
import { exportSigner } from '../../compose/export-signer.ts'
import type { Secrets } from '../../compose/secrets.ts'
import type { Mp4Request } from './to-mp4.ts'

export interface ExportRequest extends Mp4Request {
  readonly secrets: Secrets
  readonly reason: string | undefined
}

/** Writes footage to an MP4 file that proves itself: its signed manifest is at its end. */
export async function exportFootage(request: ExportRequest): Promise<Result<string, string>> {
  const { store, keys, files, cameraId, stream: name, from, to: till, out, secrets, reason } = request
  const stream = (await listStreams(store)).find((one) => one.cameraId === cameraId && one.stream === name)
  if (stream === undefined) return fail(`Camera ${cameraId} has no footage of its ${name} stream in ${store}.`)
  const of = { store, stream, keys, files, from, till }
  const plan = await planClip({ ...of, sound: 'kept' })
  if (plan === undefined) return fail('There is no readable footage of this camera in this time.')
  try {
    await using file = await open(out, 'wx', 0o600)
    const clip = new ClipExport(plan, of)
    for await (const chunk of clip.chunks()) await file.writeFile(chunk)
    const order = { exportedBy: 'operator', ...(reason !== undefined && { reason }) }
    const sign = exportSigner(secrets, Date.now)
    await file.writeFile(await manifestBox(await clip.content(), async (subject) => sign(subject, order)))
    await file.sync()
  } catch (cause) {
    // A file without its end proves nothing.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') await rm(out, { force: true })
    throw cause
  }
  return ok(`Wrote ${(plan.duration / 90_000).toFixed(1)} s and what proves them to ${out}.\n`)
}
