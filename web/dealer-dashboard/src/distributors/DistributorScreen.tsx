import { type Distributor, distributorPatch, patchDistributor } from '@sightline/contract/distributors'
import { TextField, useForm } from '@sightline/kit'
import { SaveCard, Screen, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { Loaded } from '../shell/Gate.tsx'
import { NotAllowed } from '../shell/NothingHere.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from '../text.ts'
import { DeleteDistributor } from './DeleteDistributor.tsx'
import { distributorRules } from './DistributorsScreen.tsx'
import { distributorQuery } from './distributor-queries.ts'

function Settings({ distributor, distributorId }: { distributor: Distributor; distributorId: string }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const saved = { name: distributor.name, email: distributor.email ?? '' }
  const form = useForm(saved, distributorRules, t.message)
  const change = async ({ name, email }: typeof saved) => {
    const body = z.parse(distributorPatch, {
      ...(name === saved.name ? {} : { name }),
      ...(email === saved.email ? {} : { email: email === '' ? null : email }),
    })
    const outcome = await save(() => client.call(patchDistributor, { params: { distributorId }, body }), {
      success: t('Distributor updated'),
      form: { fields: ['name', 'email'], fieldOfCode: { 5: 'name' }, refuse: form.refuse },
    })
    if ('saved' in outcome) void queries.invalidateQueries({ queryKey: ['distributors'] })
  }
  return (
    <SaveCard title={t('General')} form={form} onSave={change}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t('Name')} autoComplete="off" required {...form.field('name')} />
        <TextField label={t('Email address')} type="email" autoComplete="off" {...form.field('email')} />
      </div>
    </SaveCard>
  )
}

/** An administrator's settings for a distributor. */
export function DistributorScreen() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { distributorId } = useParams({ from: '/signed-in/distributors/$distributorId/settings' })
  const query = useQuery(distributorQuery(client, distributorId))
  if (!own.isAtLeast('admin')) return <NotAllowed />
  return (
    <Screen width="form" title={t('Settings')}>
      <Loaded query={query}>
        {(one) => (
          <div className="space-y-6">
            <Settings distributor={one} distributorId={distributorId} />
            <DeleteDistributor distributor={one} />
          </div>
        )}
      </Loaded>
    </Screen>
  )
}
