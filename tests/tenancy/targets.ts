import type { Referent } from '@sightline/contract/wire'
import type { OwnedObject } from './canaries.ts'
import type { Ids } from './operation.ts'
import type { Who } from './principals.ts'
import type { World, WorldAccount, WorldDistributor, WorldReseller } from './world.ts'

const known = new WeakMap<World, ReadonlyMap<Referent, readonly OwnedObject[]>>()

/** Every object of the world that an id of that kind can refer to. */
export function listObjects(world: World, referent: Referent): readonly OwnedObject[] {
  const all = known.get(world) ?? gather(world)
  known.set(world, all)
  return all.get(referent) ?? []
}

function gather(world: World): ReadonlyMap<Referent, readonly OwnedObject[]> {
  const objects = new Map<Referent, OwnedObject[]>()
  const add = (referent: Referent, owned: OwnedObject) => {
    const list = objects.get(referent) ?? []
    list.push(owned)
    objects.set(referent, list)
  }
  const { own, sibling, plain, foreign, near, far, demo, inactive, barred, videoShown, videoHidden } = world
  const resellers = [own, sibling, plain, foreign]
  const accounts = [
    ...resellers.flatMap((reseller) => reseller.accounts),
    demo,
    inactive,
    barred,
    videoShown,
    videoHidden,
  ]
  for (const account of accounts) ofAccount(account, add)
  for (const reseller of resellers) ofReseller(reseller, add)
  for (const distributor of [near, far]) ofDistributor(distributor, add)
  const emptyDistributor = world.emptyDistributorId
  add('distributor', { kind: 'distributor', id: emptyDistributor, distributorId: emptyDistributor })
  add('staff', { kind: 'staff', id: world.providerStaffId })
  add('job', { kind: 'job', id: world.jobId })
  return objects
}

type Add = (referent: Referent, owned: OwnedObject) => void

function ofAccount(account: WorldAccount, add: Add): void {
  const { accountId, resellerId, distributorId, zones, cameras } = account
  const place = { accountId, resellerId, distributorId }
  add('account', { kind: 'account', id: accountId, ...place })
  for (const id of [account.weak, account.strong, accountId]) add('user', { kind: 'person', id, ...place })
  for (const id of Object.values(zones)) add('zone', { kind: 'zone', id, ...place, zoneId: id })
  add('camera', { kind: 'camera', id: cameras.first, ...place, cameraId: cameras.first, zoneId: zones.first })
  add('camera', { kind: 'camera', id: cameras.second, ...place, cameraId: cameras.second, zoneId: zones.second })
  for (const { id, cameraId, zoneId } of account.events) add('event', { kind: 'event', id, ...place, cameraId, zoneId })
  add('device', { kind: 'device', id: account.deviceId, ...place, zoneId: zones.second })
  add('deviceJob', { kind: 'deviceJob', id: account.deviceJobId, ...place, zoneId: zones.second })
  add('cameraJob', {
    kind: 'cameraJob',
    id: account.cameraJobId,
    ...place,
    cameraId: cameras.first,
    zoneId: zones.first,
  })
  const ofFirst = { ...place, cameraId: cameras.first, zoneId: zones.first }
  add('recordingLock', { kind: 'recordingLock', id: account.recordingLockId, ...ofFirst })
  add('export', { kind: 'export', id: account.exportId, ...ofFirst })
  add('share', { kind: 'share', id: account.shareId, ...ofFirst })
  for (const kind of ['cameraGroup', 'sequence', 'layout'] as const)
    add(kind, { kind, id: account.savedViews[kind], ...ofFirst })
  add('recordingDeletion', { kind: 'recordingDeletion', id: account.recordingDeletionId, ...ofFirst })
  add('permissionProfile', { kind: 'profile', id: account.profileId, ...place })
  add('apiKey', { kind: 'apiKey', id: account.apiKey.apiKeyId, ...place })
  add('report', { kind: 'report', id: account.reportId, ...place })
  add('passkey', { kind: 'passkey', id: account.passkeyId, ...place })
  add('pushDevice', { kind: 'pushDevice', id: account.pushDeviceId, ...place })
  add('session', { kind: 'session', id: account.sessionId, ...place })
  add('setupCode', { kind: 'setupCode', id: account.setupCodeId, ...place, zoneId: zones.first })
  add('cameraTransfer', { kind: 'cameraTransfer', id: account.transferId, ...place })
  add('cameraOffer', { kind: 'cameraOffer', id: account.offerId, ...place })
  add('mobileSubscription', { kind: 'mobileSubscription', id: account.mobileSubscriptionId, ...place })
  add('reportSchedule', { kind: 'reportSchedule', id: account.reportScheduleId, ...place })
  for (const id of [account.otherTokenId, account.supportTokenId]) add('token', { kind: 'token', id, ...place })
}

function ofReseller(reseller: WorldReseller, add: Add): void {
  const place = { resellerId: reseller.resellerId, distributorId: reseller.distributorId }
  add('reseller', { kind: 'reseller', id: reseller.resellerId, ...place })
  add('account', { kind: 'account', id: reseller.bareAccountId, ...place, accountId: reseller.bareAccountId })
  for (const id of [reseller.weakStaffId, reseller.staffId]) add('staff', { kind: 'staff', id, ...place })
  for (const id of Object.values(reseller.packages)) add('subscriptionPackage', { kind: 'package', id, ...place })
  add('firmwareImage', { kind: 'firmwareImage', id: reseller.firmwareImageId, ...place })
  add('permissionProfile', { kind: 'profile', id: reseller.profileId, ...place })
  add('apiKey', { kind: 'apiKey', id: reseller.apiKey.apiKeyId, ...place })
  add('report', { kind: 'report', id: reseller.reportId, ...place, accountId: reseller.accounts[0].accountId })
}

function ofDistributor(distributor: WorldDistributor, add: Add): void {
  const { distributorId } = distributor
  const place = { distributorId }
  add('distributor', { kind: 'distributor', id: distributorId, ...place })
  add('reseller', {
    kind: 'reseller',
    id: distributor.emptyResellerId,
    resellerId: distributor.emptyResellerId,
    ...place,
  })
  add('staff', { kind: 'staff', id: distributor.staffId, ...place })
  add('permissionProfile', { kind: 'profile', id: distributor.profileId, ...place })
}

/** The objects that a caller's calls are about: the first of each kind in their part of the tree. */
export function usualIds(world: World, who: Who): Ids {
  const { is } = who
  const account = is.kind === 'nobody' ? world.own.accounts[0] : is.account
  const reseller = is.kind === 'staff' ? is.reseller : resellerOf(world, account)
  const isStaff = is.kind === 'staff'
  return {
    account: account.accountId,
    user: account.weak,
    camera: account.cameras.first,
    zone: account.zones.first,
    device: account.deviceId,
    deviceJob: account.deviceJobId,
    cameraJob: account.cameraJobId,
    recordingLock: account.recordingLockId,
    recordingDeletion: account.recordingDeletionId,
    export: account.exportId,
    share: account.shareId,
    ...account.savedViews,
    reseller: account.resellerId,
    distributor: account.distributorId,
    staff: reseller.weakStaffId,
    permissionProfile: isStaff ? reseller.profileId : account.profileId,
    subscriptionPackage: reseller.packages.other,
    apiKey: isStaff ? reseller.apiKey.apiKeyId : account.apiKey.apiKeyId,
    event: account.events[0].id,
    report: isStaff ? reseller.reportId : account.reportId,
    reportSchedule: account.reportScheduleId,
    mobileSubscription: account.mobileSubscriptionId,
    firmwareImage: reseller.firmwareImageId,
    setupCode: account.setupCodeId,
    cameraTransfer: account.transferId,
    cameraOffer: account.offerId,
    pushDevice: account.pushDeviceId,
    passkey: account.passkeyId,
    job: world.jobId,
    // Calls use the caller's own token id, which is also its session's id (arrange.ts).
    token: Number(who.token?.replace('token-', '') ?? account.otherTokenId),
    session: Number(who.token?.replace('token-', '') ?? account.sessionId),
  }
}

const resellerOf = ({ own, sibling, plain, foreign }: World, { resellerId }: WorldAccount): WorldReseller =>
  [own, sibling, plain, foreign].find((reseller) => reseller.resellerId === resellerId) ?? own
