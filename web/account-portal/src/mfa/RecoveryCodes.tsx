import { Button, buttonClass, ConfirmDialog, Dialog, Icon, Notice } from '@sightline/kit'
import { useState } from 'react'
import { useMfaText } from './text.ts'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** The owner of the codes, for the file and the printout: company and address. */
  of: { readonly company: string; readonly email: string }
  /** Called when the user has saved or dismissed the codes. They are not shown again. */
  onClose: () => void
}

function CodeList({ codes }: { codes: readonly string[] }) {
  return (
    <ul dir="ltr" className="grid grid-cols-2 gap-x-6 gap-y-2 font-mono text-base">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  )
}

/** Dialogs are not printed, so the codes are also on the page, visible only in print. */
function OnPaper({ codes, title }: { codes: readonly string[]; title: string }) {
  return (
    <section className="hidden print:block">
      <h2 className="mb-4 text-lg font-semibold">{title}</h2>
      <CodeList codes={codes} />
    </section>
  )
}

/** The ten recovery codes, shown only once, to copy, save or print. */
export function RecoveryCodes({ codes, of, onClose }: RecoveryCodesProps) {
  const t = useMfaText()
  const [copied, setCopied] = useState(false)
  const [asking, setAsking] = useState(false)
  const title = t('{company} recovery codes for {email}', of)
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    setCopied(true)
  }
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${title}\n\n${codes.join('\n')}\n`)}`
  return (
    <>
      <Dialog
        open
        onClose={() => setAsking(true)}
        title={t('Your recovery codes')}
        footer={
          <Button data-first onClick={onClose}>
            {t("I've saved these codes")}
          </Button>
        }
      >
        <div className="mt-4 space-y-5">
          <Notice mood="warning">
            {t(
              'Save these codes somewhere safe. If you lose your app and passkeys, you can sign in with one of them. Each code works once.',
            )}{' '}
            {t("You won't see these codes again.")}
          </Notice>
          <CodeList codes={codes} />
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
              <span aria-live="polite">{t(copied ? 'Copied' : 'Copy')}</span>
            </Button>
            <a className={buttonClass('secondary')} href={file} download="recovery-codes.txt">
              <Icon name="download" size={18} />
              {t('Download')}
            </a>
            <Button variant="secondary" icon="print" onClick={() => window.print()}>
              {t('Print')}
            </Button>
          </div>
        </div>
      </Dialog>
      <ConfirmDialog
        open={asking}
        title={t('Close without saving the codes?')}
        confirm={t('Close without saving')}
        cancel={t('Back to codes')}
        danger
        onClose={() => setAsking(false)}
        onConfirm={onClose}
      >
        {t("You won't see these codes again. If you lose your app and passkeys, you can't sign in without them.")}
      </ConfirmDialog>
      <OnPaper codes={codes} title={title} />
    </>
  )
}
