import { DateField, Field, type Form, inputClass, Select, TextField } from '@sightline/kit'
import type { KeyValues } from './key-form.ts'
import { useText } from './text.ts'

const LETTERS_AND_DIGITS = 'The name can contain only letters and numbers.'

/** Name, scopes, expiry and addresses of a key. */
export function KeyFields({ form, today, isStaff }: { form: Form<KeyValues>; today: string; isStaff: boolean }) {
  const t = useText()
  const name = form.field('name')
  const addresses = form.field('addresses')
  // An invalid character is reported while typing, not afterwards.
  const isForeign = /[^\p{L}\p{M}\p{N}]/u.test(form.values.name)
  return (
    <>
      <TextField
        {...name}
        label={t('Name')}
        hint={t('3-64 letters and digits, no spaces')}
        error={isForeign ? t.message(LETTERS_AND_DIGITS) : name.error}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label={t('Permissions')}
        value={form.values.scopes}
        onChange={(event) => form.choose('scopes', event.target.value)}
      >
        <option value="read">{t('Read only')}</option>
        <option value="write">{t('Read and write')}</option>
        {isStaff ? <option value="provisioning">{t('Read, write and set up accounts')}</option> : null}
      </Select>
      <DateField
        {...form.field('lastDay')}
        label={t('Valid through')}
        optional={t('optional')}
        hint={t("Leave empty if the key shouldn't expire.")}
        min={today}
        today={today}
      />
      <Field
        label={t('Allowed IP addresses')}
        optional={t('optional')}
        hint={t('Enter one IP address or range per line. Leave empty to allow any address.')}
        error={addresses.error}
      >
        {(ids) => (
          <textarea
            {...ids}
            name={addresses.name}
            dir="ltr"
            rows={3}
            spellCheck={false}
            value={addresses.value}
            onChange={(event) => form.choose('addresses', event.target.value)}
            onBlur={addresses.onBlur}
            className={`${inputClass} h-auto min-h-20 py-2 font-mono rtl:text-right`}
          />
        )}
      </Field>
    </>
  )
}
