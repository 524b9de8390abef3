import { putSubscriptionPackage, qualities, type SubscriptionPackage } from '@sightline/contract/subscriptions'
import { type Form, FormDialog, Select, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import {
  apiFieldNames,
  emptyPackage,
  type PackageValues,
  packageBody,
  packageRules,
  packageStatuses,
  packageValues,
} from './package-form.ts'
import { refetchPackages } from './package-queries.ts'
import { qualityTexts, statusTexts } from './package-texts.ts'
import { useText } from './text.ts'

const apiFields = Object.keys(apiFieldNames) as (keyof typeof apiFieldNames)[]

interface PackageDialogProps {
  resellerId: string
  /** Undefined: a new one. */
  edited: SubscriptionPackage | undefined
  packages: readonly SubscriptionPackage[]
  onClose: () => void
}

/** Adds a package, or edits one. */
export function PackageDialog({ resellerId, edited, packages, onClose }: PackageDialogProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const taken = edited === undefined ? packages.map((one) => String(one.subscriptionPackageId)) : []
  const saved = edited === undefined ? emptyPackage : packageValues(edited)
  const form = useForm(saved, packageRules(new Set(taken)), t.message)
  const refuse = (problems: { readonly [K in keyof typeof apiFieldNames]?: string }) =>
    form.refuse(Object.fromEntries(Object.entries(problems).map(([of, why]) => [apiFieldNames[of as 'name'], why])))
  const send = async (values: PackageValues) => {
    const params = { resellerId, subscriptionPackageId: values.number }
    const body = packageBody(values, edited)
    const outcome = await save(() => client.call(putSubscriptionPackage, { params, body }), {
      success: t('Package {name} saved', { name: body.name }),
      messages: {
        6: t('An account with this package already has more cameras or devices. Enter a higher limit.'),
      },
      form: { fields: apiFields, fieldOfCode: { 6: 'maxAmountOfCameras' }, refuse },
    })
    if (!('saved' in outcome)) return
    refetchPackages(queries, resellerId)
    onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={edited === undefined ? t('Add package') : t('Edit {name}', { name: edited.name })}
      submit={t(edited === undefined ? 'Add package' : 'Save changes')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(send)}
    >
      <PackageFields form={form} isNew={edited === undefined} />
    </FormDialog>
  )
}

function PackageFields({ form, isNew }: { form: Form<PackageValues>; isNew: boolean }) {
  const t = useText()
  const number = { inputMode: 'numeric' as const, autoComplete: 'off' }
  const text = { autoComplete: 'off', spellCheck: false }
  return (
    <>
      <TextField label={t('Name')} {...text} required {...form.field('name')} />
      {isNew ? (
        <TextField
          label={t('Package number')}
          hint={t("From your price list. It can't be changed later.")}
          {...number}
          required
          {...form.field('number')}
        />
      ) : null}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label={t('Video quality')}
          value={form.values.quality}
          onChange={(event) => form.choose('quality', event.target.value)}
        >
          {qualities.map((quality) => (
            <option key={quality} value={quality}>
              {t(qualityTexts[quality])}
            </option>
          ))}
          <option value="">{t('Custom')}</option>
        </Select>
        <TextField label={t('Days of recording')} {...number} {...form.field('days')} />
        <TextField
          label={t('Cameras')}
          hint={t('Leave empty for no limit')}
          {...number}
          {...form.field('maxCameras')}
        />
        <TextField
          label={t('Devices')}
          hint={t('Leave empty for no limit')}
          {...number}
          {...form.field('maxDevices')}
        />
        <TextField label={t('SKU')} optional={t('optional')} {...text} {...form.field('sku')} />
        <TextField label={t('Price reference')} optional={t('optional')} {...text} {...form.field('priceReference')} />
      </div>
      <Select
        label={t('Availability')}
        hint={t(statusTexts[packageStatuses.find((one) => one === form.values.status) ?? 'offered'].about)}
        value={form.values.status}
        onChange={(event) => form.choose('status', event.target.value)}
      >
        {packageStatuses.map((status) => (
          <option key={status} value={status}>
            {t(statusTexts[status].label)}
          </option>
        ))}
      </Select>
      <TextField
        label={t('Position in the list')}
        hint={t('Lower numbers come first.')}
        {...number}
        {...form.field('sortOrder')}
      />
    </>
  )
}
