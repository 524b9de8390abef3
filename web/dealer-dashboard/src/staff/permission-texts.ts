import type { Permission } from '@sightline/contract/rights'
import type { Text } from '../text.ts'

export const permissionTexts: Readonly<Record<Permission, { readonly label: Text; readonly about: Text }>> = {
  viewAccounts: { label: 'See accounts', about: 'Lists and pages of accounts, their users and subscriptions.' },
  addAccount: { label: 'Add accounts', about: 'New customers with their owner.' },
  editAccount: { label: 'Change accounts', about: 'Contact, state, limits and what the account may do itself.' },
  deleteAccount: { label: 'Delete accounts', about: 'With everything in them; only without cameras.' },
  editAccountUsers: {
    label: 'Change users of accounts',
    about: 'Name, telephone and language; never password or rights.',
  },
  manageSubscriptions: {
    label: 'Manage subscriptions',
    about: 'Choose, prolong and end what an account is subscribed to.',
  },
  generateAccessToken: { label: 'Open accounts as support', about: 'While the owner of the account allows it.' },
  manageUsers: { label: 'Manage staff', about: 'Add, change and remove staff; nobody gives more than they have.' },
  manageApiKeys: { label: 'Manage API keys', about: 'What other programs of the organisation sign in with.' },
  viewAuditLogs: { label: 'See the audit log', about: 'Who of the staff did what, and when.' },
  viewInsights: { label: 'See insights', about: 'Counts of accounts, cameras and users.' },
  whiteLabel: { label: 'Change the brand', about: 'Logo, colours and links, where the brand has that module.' },
}
