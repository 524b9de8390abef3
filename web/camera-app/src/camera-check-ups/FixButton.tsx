import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import { Button, buttonClass, ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import type { OwnPermissions } from '../rights/index.ts'
import { type Fix, type FixPlan, fixes, fixLinks } from './fixes.ts'
import { type Text, useText } from './text.ts'

interface FixButtonProps {
  cameraId: number
  finding: CheckUpFinding
  own: OwnPermissions
  disabled: boolean
  onFixed: () => void
}

/** Mends what a finding says, after a question where that costs something, or leads to the field that does. */
export function FixButton({ finding, ...props }: FixButtonProps) {
  const t = useText()
  const { cameraId, own } = props
  if (finding.fix === null) return null
  const link = fixLinks[finding.fix]
  const fix = fixes[finding.fix]
  if (link !== undefined && own.may(link.route))
    return (
      <a className={buttonClass('secondary')} href={`/app/cameras/${cameraId}/settings/${link.tab}#${link.field}`}>
        {t(link.button)}
      </a>
    )
  return fix !== undefined && own.may(fix.route) ? <CallButton {...props} finding={finding} fix={fix} /> : null
}

function CallButton({ cameraId, finding, disabled, onFixed, fix }: Omit<FixButtonProps, 'own'> & { fix: Fix }) {
  const t = useText()
  const { client, queries, snackBar } = useApplication()
  const save = useSave()
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const [plan, setPlan] = useState<FixPlan>()
  const { warning } = fix
  const messages = Object.fromEntries(Object.entries<Text>(fix.messages).map(([code, text]) => [Number(code), t(text)]))
  const run = async () => {
    setBusy(true)
    const done = await save(() => fix.run(client, { cameraId, finding, plan }), { success: t(fix.success), messages })
    setBusy(false)
    ask(false)
    if ('failure' in done) return
    onFixed()
    void queries.invalidateQueries({ queryKey: ['cameras', cameraId] })
  }
  const prepare = async ({ plan: read, impossible }: Fix) => {
    if (read === undefined) return ask(true)
    setBusy(true)
    const planned = await save(() => read(client, cameraId), { messages })
    setBusy(false)
    if ('failure' in planned) return
    setPlan(planned.saved)
    if (planned.saved !== undefined) ask(true)
    else if (impossible !== undefined) snackBar.error(t(impossible))
  }
  return (
    <>
      <Button
        variant="secondary"
        busy={busy && !asks}
        disabled={disabled}
        onClick={() => void (warning === undefined ? run() : prepare(fix))}
      >
        {t(fix.button)}
      </Button>
      {warning === undefined ? null : (
        <ConfirmDialog
          open={asks}
          onClose={() => ask(false)}
          title={t(warning.title)}
          confirm={t(fix.button)}
          danger={warning.isDangerous}
          busy={busy}
          onConfirm={() => void run()}
        >
          <p>{t(warning.text, plan)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
