import { getResellerTheme } from '@sightline/contract/resellers'
import { buttonClass, EmptyState } from '@sightline/kit'
import { Screen, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { HostsCard } from '../brand-hosts/index.ts'
import { resellerQuery, TokenLifetimesCard, themeQuery } from '../resellers/index.ts'
import { Gate, Loaded } from '../shell/Gate.tsx'
import { FlagsCard, LinksCard } from './LinksCard.tsx'
import { LookCard } from './LookCard.tsx'
import { useText } from './text.ts'

/** Shown if the reseller's branding module is off; only staff above the reseller get here. */
function ModuleIsOff({ resellerId }: { resellerId: string }) {
  const t = useText()
  return (
    <EmptyState
      icon="lock"
      title={t('Custom branding is off')}
      action={
        <a data-here href={`/dealer/resellers/${resellerId}/settings`} className={buttonClass()}>
          {t('Open settings')}
        </a>
      }
    >
      {t("Turn on the “Custom branding” module to set this reseller's logo, colors and domains.")}
    </EmptyState>
  )
}

function Cards({ resellerId }: { resellerId: string }) {
  const { client } = useApplication()
  const theme = useQuery(themeQuery(client, resellerId))
  return (
    <Loaded query={theme}>
      {(data) => (
        <div className="space-y-6">
          <LookCard resellerId={resellerId} theme={data} />
          <HostsCard resellerId={resellerId} />
          <LinksCard resellerId={resellerId} theme={data} />
          <FlagsCard resellerId={resellerId} theme={data} />
          <TokenLifetimesCard resellerId={resellerId} />
        </div>
      )}
    </Loaded>
  )
}

/** A reseller's branding. */
export function BrandScreen() {
  const { client } = useApplication()
  const t = useText()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/brand' })
  const reseller = useQuery(resellerQuery(client, resellerId))
  return (
    <Gate call={getResellerTheme}>
      <Screen
        width="table"
        title={t('Brand')}
        description={t('The logo, colors, domains and links that customers see.')}
      >
        <Loaded query={reseller}>
          {({ modules }) =>
            modules.whiteLabel ? <Cards resellerId={resellerId} /> : <ModuleIsOff resellerId={resellerId} />
          }
        </Loaded>
      </Screen>
    </Gate>
  )
}
