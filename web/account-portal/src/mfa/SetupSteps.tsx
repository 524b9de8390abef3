import { CopyField } from '@sightline/kit'
import type { ReactNode } from 'react'
import { useMfaText } from './text.ts'

function Step({ number, title, children }: { number: number; title: string; children?: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden="true"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-tint text-xs font-semibold text-link"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <p className="font-medium">{title}</p>
        {children}
      </div>
    </li>
  )
}

/** Groups of four are easier to type. Apps ignore the spaces. */
const inGroups = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ')

interface SetupStepsProps {
  /** Null for users who may not turn it on. */
  qrCode: string | null
  secret: string | null
  /** The field for the code. */
  children: ReactNode
}

/** The steps to set up an authenticator app. */
export function SetupSteps({ qrCode, secret, children }: SetupStepsProps) {
  const t = useMfaText()
  return (
    <ol className="space-y-6">
      <Step number={1} title={t("Install an authenticator app on your phone if you don't have one")}>
        <p className="mt-1 text-muted">{t('Any app that supports time-based one-time codes works.')}</p>
      </Step>
      <Step number={2} title={t('Scan this QR code with the app')}>
        {qrCode === null || secret === null ? (
          <p className="mt-1 text-muted">
            {t("You don't see the QR code because you can't turn on two-factor authentication.")}
          </p>
        ) : (
          <>
            {/* At its natural size, so that all squares are equally large. The margin is white in dark mode too, because cameras need it. */}
            <img
              src={qrCode}
              alt={t('QR code for the authenticator app')}
              className="mt-3 max-w-full rounded-md border border-border [image-rendering:pixelated]"
            />
            <div className="mt-4 max-w-md">
              <CopyField
                label={t('Or enter this key in the app')}
                value={inGroups(secret)}
                hint={t('Type: time-based. Keep this key secret: anyone who has it can generate your codes.')}
              />
            </div>
          </>
        )}
      </Step>
      <Step number={3} title={t('Enter the 6-digit code from the app')}>
        <div className="mt-3 max-w-60">{children}</div>
      </Step>
    </ol>
  )
}
