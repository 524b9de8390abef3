import { patchSupportAccess, type SupportAccess } from '@sightline/contract/support-access'
import { Badge, Button, ConfirmDialog, DateTimeField, type Form, Select, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AccessChoice,
  type AccessState,
  accessPatch,
  accessState,
  localText,
  type SupportAccessChange,
  savedChoice,
  untilProblem,
} from './access-choice.ts'
import { useMoment, useNow } from './moments.ts'
import { supportQueries } from './support-queries.ts'
import { type SupportText, useSupportText } from './text.ts'

const options: readonly (readonly [string, SupportText])[] = [
  ['closed', 'Disabled'],
  ['hour', 'For 1 hour'],
  ['fourHours', 'For 4 hours'],
  ['day', 'For 1 day'],
  ['week', 'For 1 week'],
  ['thirtyDays', 'For 30 days'],
  ['until', 'Until a date and time'],
  ['always', 'Always'],
]

/** Saves, then shows the server's values. */
function useAccessChange() {
  const { client, queries } = useApplication()
  const t = useSupportText()
  const save = useSave()
  return async (body: SupportAccessChange) => {
    const outcome = await save(() => client.call(patchSupportAccess, { body }), {
      success: t('Your settings are successfully changed'),
    })
    if (!('saved' in outcome)) return
    queries.setQueryData(supportQueries(client).access.queryKey, outcome.saved)
    await queries.invalidateQueries({ queryKey: supportQueries(client).sessions.queryKey })
  }
}

interface AccessCardProps {
  access: SupportAccess
  mayOpen: boolean
  mayClose: boolean
  /** The signed-in user may see the support sessions. */
  seesSessions: boolean
}

/** Whether and until when support has access, and whether it sees video (specification §2 "Support screen"). */
export function AccessCard({ access, mayOpen, mayClose, seesSessions }: AccessCardProps) {
  const t = useSupportText()
  const end = accessState(access, 0)
  const now = useNow(end.kind === 'until' ? end.until : undefined)
  const state = accessState(access, now)
  const saved = savedChoice(access, now)
  const form = useForm<AccessChoice>(saved, { until: (_, all) => untilProblem(all, Date.now()) }, t.message)
  const [isAsking, ask] = useState(false)
  const change = useAccessChange()
  const save = async (values: AccessChoice) => {
    // Ending a support session needs a confirmation, whichever option ends it.
    if (values.access === 'closed' && state.kind !== 'closed') ask(true)
    else await change(accessPatch(values, saved, Date.now()))
  }
  return (
    <>
      <SaveCard
        title={t('Support access')}
        description={t('Choose whether support can access your account, and for how long.')}
        form={form}
        onSave={save}
        readOnly={!mayOpen}
      >
        <div className="space-y-5">
          <State state={state} onRevoke={mayClose ? () => ask(true) : undefined} />
          <Choices form={form} readOnly={!mayOpen} />
        </div>
      </SaveCard>
      <Revoking
        open={isAsking}
        seesSessions={seesSessions}
        onClose={() => ask(false)}
        onConfirm={async () => {
          await change({ allowsHelpdeskExpirationDate: null })
          ask(false)
        }}
      />
    </>
  )
}

function State({ state, onRevoke }: { state: AccessState; onRevoke: (() => void) | undefined }) {
  const t = useSupportText()
  const moment = useMoment()
  const isOpen = state.kind !== 'closed'
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1" aria-live="polite">
        <Badge mood={isOpen ? 'warning' : 'success'} icon={isOpen ? 'warning' : 'lock'}>
          {t(isOpen ? 'Allowed' : 'Not allowed')}
        </Badge>
        {state.kind === 'until'
          ? t('Support can access your account until {time}.', { time: moment(state.until) })
          : null}
        {state.kind === 'always' ? t('Support can access your account until you revoke access.') : null}
        {state.kind === 'closed' ? t("Support can't access your account.") : null}
      </p>
      {isOpen && onRevoke !== undefined ? (
        <Button variant="danger" onClick={onRevoke}>
          {t('Revoke access')}
        </Button>
      ) : null}
    </div>
  )
}

function Choices({ form, readOnly }: { form: Form<AccessChoice>; readOnly: boolean }) {
  const t = useSupportText()
  const { access, video } = form.values
  return (
    <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
      <Select
        label={t('Allow support access')}
        value={access}
        disabled={readOnly}
        onChange={(event) => form.choose('access', event.target.value)}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {t(text)}
          </option>
        ))}
      </Select>
      {access === 'until' ? (
        <DateTimeField
          label={t('Until')}
          hint={t("In this device's time zone.")}
          required
          min={localText(Date.now())}
          disabled={readOnly}
          {...form.field('until')}
        />
      ) : null}
      <Select
        label={t('Video')}
        hint={t(video === 'shown' ? 'Support can watch live and recorded video.' : 'Support sees only blurred images.')}
        value={video}
        disabled={readOnly}
        onChange={(event) => form.choose('video', event.target.value)}
      >
        <option value="hidden">{t('Hide video')}</option>
        <option value="shown">{t('Show video')}</option>
      </Select>
    </div>
  )
}

interface RevokingProps {
  open: boolean
  seesSessions: boolean
  onClose: () => void
  onConfirm: () => Promise<void>
}

function Revoking({ open, seesSessions, onClose, onConfirm }: RevokingProps) {
  const t = useSupportText()
  const { client } = useApplication()
  const [busy, setBusy] = useState(false)
  const { data: inside = [] } = useQuery({ ...supportQueries(client).sessions, enabled: seesSessions && open })
  const names = [...new Set(inside.map(({ staffName }) => staffName))].join(', ')
  return (
    <ConfirmDialog
      open={open}
      title={t('Revoke support access?')}
      confirm={t('Revoke access')}
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={() => {
        setBusy(true)
        void onConfirm().finally(() => setBusy(false))
      }}
    >
      <ul className="list-disc space-y-1 ps-5">
        <li>{t('Support will no longer have access to your account.')}</li>
        <li>
          {names === ''
            ? t('No support session is active.')
            : t('Active support sessions will end immediately: {names}.', { names })}
        </li>
        <li>{t("Any video they're watching will stop within 2 seconds.")}</li>
      </ul>
    </ConfirmDialog>
  )
}
