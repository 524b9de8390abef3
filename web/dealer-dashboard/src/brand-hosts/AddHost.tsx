import { addBrandHost, brandHostProblem, hostInText } from '@sightline/contract/brand-hosts'
import { FormDialog, type Rules, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { hostsQuery } from './host-queries.ts'
import { useText } from './text.ts'

interface NewHost extends Record<string, string> {
  readonly host: string
}

const empty: NewHost = { host: '' }
const rules: Rules<NewHost> = { host: (text) => brandHostProblem(hostInText(text)) }

/** Adds a domain to a brand. */
export function AddHost({ resellerId, onClose }: { resellerId: string; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const form = useForm(empty, rules, t.message)
  const add = async ({ host }: NewHost) => {
    const body = { host: hostInText(host) }
    const outcome = await save(() => client.call(addBrandHost, { params: { resellerId }, body }), {
      success: t('{host} was added', { host: body.host }),
      messages: {
        5: t('This domain is already in use. Remove it there first, or choose another one.'),
        6: t('A brand can have up to 20 domains. Remove one you no longer need.'),
      },
      form: { fields: ['host'], fieldOfCode: { 5: 'host' }, refuse: form.refuse },
    })
    void queries.invalidateQueries({ queryKey: hostsQuery(client, resellerId).queryKey })
    if ('saved' in outcome) onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add domain')}
      submit={t('Add domain')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <TextField
        label={t('Domain')}
        hint={t('For example video.example.com. Its DNS record must point to this server.')}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...form.field('host')}
      />
    </FormDialog>
  )
}
