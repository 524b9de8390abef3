import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import { Button, ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import type { OwnPermissions } from '../rights/index.ts'
import { fixes } from './fixes.ts'
import { type Text, useText } from './text.ts'

interface FixButtonProps {
  cameraId: number
  finding: CheckUpFinding
  own: OwnPermissions
  disabled: boolean
  onFixed: () => void
}

/** Mends what a finding says, after a question where that costs something. */
export function FixButton({ cameraId, finding, own, disabled, onFixed }: FixButtonProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const fix = finding.fix === null ? undefined : fixes[finding.fix]
  if (fix === undefined || !own.may(fix.route)) return null
  const { warning } = fix
  const run = async () => {
    setBusy(true)
    const messages = Object.fromEntries(
      Object.entries<Text>(fix.messages).map(([code, text]) => [Number(code), t(text)]),
    )
    const done = await save(() => fix.run(client, { cameraId, finding }), { success: t(fix.success), messages })
    setBusy(false)
    ask(false)
    if ('failure' in done) return
    onFixed()
    void queries.invalidateQueries({ queryKey: ['cameras', cameraId] })
  }
  return (
    <>
      <Button
        variant="secondary"
        busy={busy && !asks}
        disabled={disabled}
        onClick={() => (warning === undefined ? void run() : ask(true))}
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
          <p>{t(warning.text)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
