import {
  type CameraConnectionDetails,
  type CameraCredentialsReply,
  patchCameraConnection,
  patchCameraCredentials,
} from '@sightline/contract/camera-connection'
import {
  Card,
  Details,
  Notice,
  PasswordField,
  Skeleton,
  SkeletonGroup,
  Switch,
  TextField,
  useForm,
} from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { AddressPasswordField, NetworkSettingsCard } from '../camera-network/index.ts'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { CameraUsersCard } from '../camera-users/index.ts'
import { WifiCard } from '../camera-wifi/index.ts'
import { FieldInView } from '../FieldInView.tsx'
import {
  type AddressValues,
  addressFields,
  addressPatch,
  addressRules,
  addressValues,
  type SignInValues,
  signInFields,
  signInPatch,
  signInValues,
} from './connection-form.ts'
import { connectionQueries } from './connection-queries.ts'
import { PasswordCard } from './PasswordCard.tsx'
import { useText } from './text.ts'

/** Why the camera didn't confirm a change, by error code. */
function useRefusals(): Readonly<Record<number, string>> {
  const t = useText()
  return {
    5: t('Your account already has a camera at this address.'),
    6: t('Another camera responds at this address. Add it as a new camera instead.'),
    11: t(
      'This camera only accepts its password unencrypted. If you accept that, allow it under “Sign-in” and try again.',
    ),
    12: t('The camera rejected this user name and password. Nothing was changed.'),
    13: t('What responds at this address isn’t this camera. Nothing was changed.'),
    14: t('No camera responds at this address. Nothing was changed.'),
    19: t('The camera didn’t respond in time. Nothing was changed.'),
  }
}

interface AddressProps extends SettingsTabProps {
  connection: CameraConnectionDetails
  passwordKnown: boolean
  fixed: boolean
}

function AddressCard({ camera, connection, passwordKnown, fixed }: AddressProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const messages = useRefusals()
  const form = useForm<AddressValues>(addressValues(connection), addressRules, t.message)
  const { cameraId } = camera
  const onSave = async (values: AddressValues) => {
    const body = addressPatch(connection, values)
    const done = await save(() => client.call(patchCameraConnection, { params: { cameraId }, body }), {
      success: t('The camera responds at this address. It was saved.'),
      messages,
      form: {
        fields: addressFields,
        fieldOfCode: { 5: 'localIp', 6: 'localIp', 12: 'password', 13: 'localIp', 14: 'localIp' },
        refuse: form.refuse,
      },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(connectionQueries(client, cameraId).details.queryKey, done.saved)
  }
  return (
    <SaveCard
      title={t('Address')}
      description={t('A new address is saved only if this camera responds there.')}
      form={form}
      onSave={onSave}
      readOnly={fixed}
    >
      <div className="max-w-2xl space-y-4">
        <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
          <TextField
            {...form.field('localIp')}
            label={t('IP address or host name')}
            dir="ltr"
            autoComplete="off"
            disabled={fixed}
          />
          <TextField
            {...form.field('localPort')}
            label={t('Port')}
            hint={t('Leave empty to use the default ports')}
            inputMode="numeric"
            dir="ltr"
            autoComplete="off"
            disabled={fixed}
          />
        </div>
        {passwordKnown && form.values.localIp !== connection.localIp ? (
          <AddressPasswordField {...form.field('password')} disabled={fixed} />
        ) : null}
        <Switch
          label={t('Encrypted connection (TLS)')}
          description={t('Only if the camera supports HTTPS or RTSPS.')}
          checked={form.values.https === 'true'}
          disabled={fixed}
          onChange={(checked) => form.choose('https', String(checked))}
        />
      </div>
    </SaveCard>
  )
}

interface SignInProps extends SettingsTabProps {
  credentials: CameraCredentialsReply
  fixed: boolean
}

function SignInCard({ camera, credentials, fixed }: SignInProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const messages = useRefusals()
  const form = useForm<SignInValues>(signInValues(credentials), {}, t.message)
  const { cameraId } = camera
  const onSave = async (values: SignInValues) => {
    const body = signInPatch(credentials, values)
    const done = await save(() => client.call(patchCameraCredentials, { params: { cameraId }, body }), {
      success: t('The camera accepted the sign-in. It was saved.'),
      messages,
      form: { fields: signInFields, fieldOfCode: { 12: 'password' }, refuse: form.refuse },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(connectionQueries(client, cameraId).credentials.queryKey, done.saved)
  }
  return (
    <SaveCard
      title={t('Sign-in')}
      description={t(
        'The server signs in to the camera with these details. They’re saved only if the camera accepts them.',
      )}
      form={form}
      onSave={onSave}
      readOnly={fixed}
    >
      <div className="max-w-2xl space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.field('username')}
            label={t('Camera user name')}
            dir="ltr"
            autoComplete="off"
            disabled={fixed}
          />
          <PasswordField
            {...form.field('password')}
            label={t('New password')}
            hint={t(credentials.passwordKnown ? 'Leave empty to keep the saved password.' : 'No password is saved.')}
            autoComplete="new-password"
            disabled={fixed}
          />
        </div>
        <Switch
          label={t('Allow sending the password unencrypted')}
          description={t('Only for old cameras that accept nothing better, on a network you trust.')}
          checked={form.values.allowBasic === 'true'}
          disabled={fixed}
          onChange={(checked) => form.choose('allowBasic', String(checked))}
        />
      </div>
    </SaveCard>
  )
}

function Facts({ connection }: { connection: CameraConnectionDetails }) {
  const t = useText()
  const { globalIp, globalPort } = connection
  return (
    <Card title={t('Connection')}>
      <Details
        details={[
          { label: t('Stream'), value: connection.streamType === 'rtsps' ? t('RTSP over TLS') : 'RTSP' },
          {
            label: t('Settings and events'),
            value: connection.onvif ? 'ONVIF' : t('Not available: the camera has no ONVIF'),
          },
          {
            label: t('Public address'),
            value:
              globalIp === null
                ? t('None: the server reaches the camera in its own network')
                : `${globalIp}:${globalPort}`,
          },
        ]}
      />
    </Card>
  )
}

interface InCameraProps extends SettingsTabProps {
  connection: CameraConnectionDetails
  signIn: CameraCredentialsReply
}

/** What is set in the camera itself, by ONVIF. */
function InCamera({ camera: { cameraId }, status, readOnly, connection, signIn }: InCameraProps) {
  const isOnline = status?.online === true
  const fixed = readOnly !== undefined
  return (
    <>
      {signIn.username === null ? null : (
        <FieldInView name="camera-password">
          <PasswordCard
            cameraId={cameraId}
            username={signIn.username}
            credentials={signIn}
            isSecure={connection.https}
            fixed={fixed}
          />
        </FieldInView>
      )}
      <CameraUsersCard
        host={{ kind: 'camera', id: cameraId }}
        isOnline={isOnline}
        needsConsent={!(connection.https || signIn.allowBasic)}
        fixed={fixed}
      />
      <WifiCard cameraId={cameraId} isOnline={isOnline} fixed={fixed} />
      <NetworkSettingsCard cameraId={cameraId} isOnline={isOnline} passwordKnown={signIn.passwordKnown} fixed={fixed} />
    </>
  )
}

/** Where the server reaches a camera, and what it signs in with. */
export function NetworkTab(props: SettingsTabProps) {
  const t = useText()
  const { client } = useApplication()
  const known = connectionQueries(client, props.camera.cameraId)
  const details = useQuery(known.details)
  const credentials = useQuery(known.credentials)
  return (
    <Loaded
      asked={[details, credentials] as const}
      place={
        <SkeletonGroup className="space-y-5">
          <Skeleton className="h-64 w-full" />
          <Skeleton className="h-64 w-full" />
        </SkeletonGroup>
      }
    >
      {(connection, signIn) => {
        const fixed = props.readOnly !== undefined || connection.deviceId !== null
        return (
          <div className="space-y-5">
            {connection.deviceId === null ? null : (
              <Notice>
                {t('This camera is an input of a recorder. Its address and sign-in are those of the recorder.')}
              </Notice>
            )}
            {connection.localIp === null ? (
              <Card title={t('Address')}>
                <p className="text-muted">
                  {t('To see the address, ask the account owner for the “Local addresses” right.')}
                </p>
              </Card>
            ) : (
              <AddressCard {...props} connection={connection} passwordKnown={signIn.passwordKnown} fixed={fixed} />
            )}
            <FieldInView name="sign-in">
              <SignInCard {...props} credentials={signIn} fixed={fixed} />
            </FieldInView>
            {connection.deviceId === null && connection.onvif ? (
              <InCamera {...props} connection={connection} signIn={signIn} />
            ) : null}
            <Facts connection={connection} />
          </div>
        )
      }}
    </Loaded>
  )
}
