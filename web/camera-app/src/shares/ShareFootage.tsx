import type { Camera } from '@sightline/contract/cameras'
import { addShare, MAX_SHARE_MINUTES } from '@sightline/contract/shares'
import { CopyField, Dialog, FormDialog, Notice } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { type ClipSpan, RangeFields, useSpanForm } from '../clips/index.ts'
import { isShortPassword, noShareWish, ShareFields, type ShareWish } from './ShareFields.tsx'
import { sharesQuery } from './share-queries.ts'
import { type Text, useText } from './text.ts'

interface ShareFootageProps {
  camera: Camera
  timeZone: string
  /** The time of the picture when the dialog was opened; undefined: live. */
  watched: number | undefined
  /** The range that is selected in the timeline. */
  marked?: ClipSpan | undefined
  open: boolean
  onClose: () => void
}

const MS_PER_DAY = 86_400_000

/** Why the times can't be shared; undefined while they can, or are incomplete. */
function findProblem(span: ClipSpan | undefined): Text | undefined {
  if (span === undefined) return undefined
  if (span.till <= span.from) return 'The end must be after the start'
  return span.till - span.from > MAX_SHARE_MINUTES * 60_000 ? 'Share up to 60 minutes at a time' : undefined
}

function toNewShare(cameraId: number, { from, till }: ClipSpan, { name, opener, days, password }: ShareWish) {
  return {
    cameraId,
    from: new Date(from).toISOString(),
    // The suggested end is the next full minute, which is still to come while live.
    till: new Date(Math.max(from + 1, Math.min(till, Date.now()))).toISOString(),
    expiresAt: new Date(Date.now() + Number(days) * MS_PER_DAY).toISOString(),
    public: opener === 'public',
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(password !== '' && { password }),
  }
}

/** A dialog that makes a link to footage of a camera, and shows it once. */
export function ShareFootage({ camera, timeZone, watched, marked, open, onClose }: ShareFootageProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const range = useSpanForm({ watched, marked, timeZone })
  const { form, times: span } = range
  const [wish, setWish] = useState<ShareWish>(noShareWish)
  const [url, setUrl] = useState<string>()
  const problem = findProblem(span)
  const share = form.submit(async () => {
    if (span === undefined || problem !== undefined) return
    const body = toNewShare(camera.cameraId, span, wish)
    const made = await save(() => client.call(addShare, { body }), {
      messages: {
        4: t('Nothing was recorded in this time, or you no longer have access to the camera.'),
        6: t('You’ve reached the limit of shared links or of files. End a link, or delete an export.'),
        9: t('You don’t have permission to share footage. Ask the account owner.'),
      },
    })
    if ('failure' in made) return
    setUrl(made.saved.url)
    await queries.invalidateQueries({ queryKey: sharesQuery(client).queryKey })
  })
  if (url !== undefined) return <NewLink url={url} open={open} onClose={onClose} />
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('Share footage')}
      submit={t('Create link')}
      changed={false}
      valid={form.valid && span !== undefined && problem === undefined && !isShortPassword(wish)}
      sendsUnchanged
      busy={form.busy}
      onSubmit={share}
    >
      <RangeFields range={range} problem={problem === undefined ? undefined : t(problem)} />
      <ShareFields wish={wish} onChange={setWish} />
    </FormDialog>
  )
}

function NewLink({ url, open, onClose }: { url: string; open: boolean; onClose: () => void }) {
  const t = useText()
  return (
    <Dialog open={open} onClose={onClose} title={t('Link created')}>
      <div className="space-y-4">
        <Notice mood="warning">{t('Copy the link now. It can’t be shown again.')}</Notice>
        <CopyField label={t('Link')} value={url} />
        <p className="text-muted">{t('See who opened it, or end it, in the Download Portal.')}</p>
      </div>
    </Dialog>
  )
}
