import { Icon, PasswordField, TextField } from '@sightline/kit'
import { type ClipboardEvent, useState } from 'react'
import { type AdditionForm, parseStreamAddress } from './addition-form.ts'
import { ConnectionChoice } from './ConnectionChoice.tsx'
import { useText } from './text.ts'

function StreamFields({ form }: { form: AdditionForm }) {
  const t = useText()
  return (
    <div className="mt-3 grid gap-4 sm:grid-cols-2">
      <TextField
        {...form.field('port')}
        label={t('Port')}
        optional={t('optional')}
        hint={t('The ONVIF port, or the RTSP port with a stream path.')}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
      />
      <TextField
        {...form.field('streamPath')}
        label={t('Stream path')}
        optional={t('optional')}
        hint={t('For cameras without ONVIF, for example /stream1.')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
      />
      <TextField
        {...form.field('subStreamPath')}
        label={t('Sub-stream path')}
        optional={t('optional')}
        hint={t('A smaller stream for small pictures, for example /stream2.')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
      />
      <TextField
        {...form.field('channel')}
        label={t('Input')}
        optional={t('optional')}
        hint={t('Only for recorders with several cameras: 1 is the first.')}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
      />
      <TextField {...form.field('brand')} label={t('Brand')} optional={t('optional')} autoComplete="off" />
      <TextField {...form.field('model')} label={t('Model')} optional={t('optional')} autoComplete="off" />
    </div>
  )
}

interface ConnectionFieldsProps {
  form: AdditionForm
  /** A MAC address isn't enough. */
  needsAddress?: boolean
}

/** How a device is reached: its address, its credentials, and what few of them need. */
export function ConnectionFields({ form, needsAddress = false }: ConnectionFieldsProps) {
  const t = useText()
  // Clearing a field doesn't close the options around it.
  const [isOpen, setOpen] = useState(false)
  const { port, streamPath, subStreamPath, channel, brand, model, https, allowBasic } = form.values
  const isFilled = [port, streamPath, subStreamPath, channel, brand, model, https, allowBasic].some(
    (value) => value !== '',
  )
  const onPaste = (event: ClipboardEvent) => {
    const parts = parseStreamAddress(event.clipboardData.getData('text'))
    if (parts === undefined) return
    event.preventDefault()
    for (const [name, value] of Object.entries(parts)) if (value !== undefined) form.choose(name, value)
  }
  return (
    <>
      <TextField
        {...form.field('address')}
        label={t(needsAddress ? 'IP address or host name' : 'IP address, host name or MAC address')}
        hint={t(
          needsAddress
            ? 'For example 192.168.1.64. You can also paste an rtsp:// address.'
            : 'For example 192.168.1.64 or 00:1a:2b:3c:4d:5e. You can also paste an rtsp:// address.',
        )}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
        onPaste={onPaste}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('username')}
          label={t('Camera user name')}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          dir="ltr"
        />
        <PasswordField {...form.field('password')} label={t('Camera password')} autoComplete="new-password" />
      </div>
      <details
        className="group"
        open={isOpen || isFilled}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="inline-flex min-h-9 cursor-pointer items-center gap-1.5 font-medium text-link pointer-coarse:min-h-11">
          {t('More options')}
          <Icon name="chevronDown" size={16} className="group-open:rotate-180" />
        </summary>
        <StreamFields form={form} />
        <ConnectionChoice
          label={t('Connect over HTTPS (TLS) only')}
          hint={t("The camera's certificate is remembered, and another one is refused.")}
          isChosen={form.values.https === 'yes'}
          onChoose={(isSecure) => form.choose('https', isSecure ? 'yes' : '')}
        />
        <ConnectionChoice
          label={t('Allow the camera password to be sent in plain text')}
          hint={t('Only for cameras that offer nothing better. Others on the network could read the password.')}
          isChosen={form.values.allowBasic === 'yes'}
          onChoose={(isAllowed) => form.choose('allowBasic', isAllowed ? 'yes' : '')}
        />
      </details>
    </>
  )
}
