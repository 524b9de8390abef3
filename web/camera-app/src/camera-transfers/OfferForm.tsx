import { postCameraTransfer } from '@sightline/contract/camera-transfers'
import type { Camera } from '@sightline/contract/cameras'
import { emailProblem } from '@sightline/contract/user-details'
import { Button, Card, CheckList, ConfirmDialog, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useText } from './text.ts'
import { transfersQuery } from './transfer-queries.ts'

function useOffer() {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  return async (cameraIds: readonly number[], email: string): Promise<boolean> => {
    const done = await save(
      () => client.call(postCameraTransfer, { body: { cameraIds: [...cameraIds], email: email.trim() } }),
      {
        success: t('Offer sent'),
        messages: {
          6: t(
            'These cameras can’t be offered. One may be in another offer, an input of a recorder, or still being added, or this is your own email address.',
          ),
          16: t('You have made too many offers today. Try again tomorrow.'),
        },
      },
    )
    if ('saved' in done) void queries.invalidateQueries({ queryKey: transfersQuery(client).queryKey })
    return 'saved' in done
  }
}

interface OfferFormProps {
  /** Those that can be offered. */
  cameras: readonly Camera[]
  /** Selected at first. */
  start: number | undefined
}

/** Selects cameras and names the owner of the account that is to have them. */
export function OfferForm({ cameras, start }: OfferFormProps) {
  const t = useText()
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set(start === undefined ? [] : [String(start)]))
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const form = useForm({ email: '' }, { email: emailProblem }, t.message)
  const offer = useOffer()
  const wanted = cameras.filter(({ cameraId }) => chosen.has(String(cameraId)))
  const send = async () => {
    setBusy(true)
    const isSent = await offer(
      wanted.map(({ cameraId }) => cameraId),
      form.values.email,
    )
    setBusy(false)
    ask(false)
    if (!isSent) return
    choose(new Set())
    form.reset()
  }
  return (
    <Card
      title={t('Offer cameras')}
      description={t('The owner of the other account accepts or declines. Until then nothing changes.')}
    >
      <form noValidate className="space-y-5" onSubmit={form.submit(async () => ask(true))}>
        <CheckList
          label={t('Cameras')}
          searchLabel={t('Search cameras')}
          options={cameras.map(({ cameraId, name }) => ({ value: String(cameraId), label: name }))}
          chosen={chosen}
          onChange={choose}
          empty={t('No cameras yet')}
        />
        <TextField
          {...form.field('email')}
          type="email"
          label={t('Email address of the other owner')}
          autoComplete="off"
          dir="ltr"
        />
        <div className="flex justify-end">
          <Button type="submit" disabled={!form.valid || wanted.length === 0}>
            {t('Offer cameras')}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={asks}
        onClose={() => ask(false)}
        title={t('Offer cameras to {email}?', { email: form.values.email.trim() })}
        confirm={t('Offer cameras')}
        busy={busy}
        onConfirm={() => void send()}
      >
        <WhatMoves names={wanted.map(({ name }) => name)} />
      </ConfirmDialog>
    </Card>
  )
}

/** Says before an offer what goes along and what stays. */
function WhatMoves({ names }: { names: readonly string[] }) {
  const t = useText()
  return (
    <div className="space-y-3">
      <p>{names.join(', ')}</p>
      <p>
        {t(
          'Once accepted, the other owner has the cameras with their addresses and passwords, and records them. You can no longer watch or control them.',
        )}
      </p>
      <p>
        {t(
          'Your recordings stay in your account for as long as you keep them. Users, schedules, areas and events don’t go along.',
        )}
      </p>
      <p>{t('You can withdraw the offer until it is accepted. It expires after 7 days.')}</p>
    </div>
  )
}
