/** An installation with simulated cameras that belong to the test: they go on when the product ends. */
import { instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { addAccount, addCamera, cameraMac, inInstallation } from '../../bench/installation.ts'

const TOKEN = 'installation-token'
const VALID_MS = 24 * 3_600_000

/** Not a secret: the cameras end with the test. */
export const cameraLogin = { username: 'camera', password: 'camera-only' }

/** What a product needs to record cameras on loopback, and nothing else. */
export const withoutDemonstration = {
  SIGHTLINE_DEMO: 'off',
  SIGHTLINE_DEMO_PASSWORD: '',
  SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8',
}

export interface InstalledCameras {
  /** In the order of the ports. */
  readonly cameraIds: readonly number[]
  /** The owner's, for a day. */
  readonly token: string
}

/** An account with a camera at each RTSP port, in a new data folder. */
export const installSimulated = (
  dataFolder: string,
  rtspPorts: readonly number[],
  { subPath = null }: { readonly subPath?: string | null } = {},
): Promise<InstalledCameras> =>
  inInstallation(dataFolder, async (installation) => {
    const { accountId, zoneId } = await addAccount(installation)
    const cameraIds: number[] = []
    for (const [index, rtspPort] of rtspPorts.entries()) {
      const camera = { name: `Camera ${index}`, mac: cameraMac(index), rtspPort, subPath }
      cameraIds.push(await addCamera(installation, { accountId, zoneId, ...cameraLogin, ...camera }))
    }
    const { plain } = installation.db
    const email = 'owner@installation.example'
    const name = { email, email_folded: email, first_name: 'Ada', last_name: 'Byron' }
    const { reseller_id } = await plain.selectFrom('accounts').select('reseller_id').executeTakeFirstOrThrow()
    await plain
      .insertInto('users')
      .values({ account_id: accountId, user_id: accountId, reseller_id, ...name })
      .execute()
    await plain
      .insertInto('auth.access_sessions')
      .values({
        token_sha256: tokenSha256(TOKEN),
        token_id: await installation.ids.next(),
        user_id: accountId,
        account_id: accountId,
        client_id: 'camera-app.v1',
        app_id: 'camera-app.v1',
        scopes: ['read', 'write'],
        expires_at: instant(Date.now() + VALID_MS),
      })
      .execute()
    return { cameraIds, token: TOKEN }
  })
