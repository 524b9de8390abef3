import { useParams } from '@tanstack/react-router'
import { StaffList } from './StaffList.tsx'
import { StaffMember } from './StaffMember.tsx'

// The staff of each of the three kinds of organization, chosen by the address.

export function ResellerStaff() {
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/staff' })
  return <StaffList of={{ kind: 'reseller', resellerId }} title="Staff" />
}

export function ResellerStaffMember() {
  const { resellerId, userId } = useParams({ from: '/signed-in/resellers/$resellerId/staff/$userId' })
  return <StaffMember key={userId} of={{ kind: 'reseller', resellerId }} userId={userId} />
}

export function DistributorStaff() {
  const { distributorId } = useParams({ from: '/signed-in/distributors/$distributorId/staff' })
  return <StaffList of={{ kind: 'distributor', distributorId }} title="Staff" />
}

export function DistributorStaffMember() {
  const { distributorId, userId } = useParams({ from: '/signed-in/distributors/$distributorId/staff/$userId' })
  return <StaffMember key={userId} of={{ kind: 'distributor', distributorId }} userId={userId} />
}

export const ProviderStaff = () => <StaffList of={{ kind: 'provider' }} title="Administrators" />

export function ProviderStaffMember() {
  const { userId } = useParams({ from: '/signed-in/administrators/$userId' })
  return <StaffMember key={userId} of={{ kind: 'provider' }} userId={userId} />
}
