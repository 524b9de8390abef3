import { LegalPage } from './LegalPage.tsx'

export const Terms = () => <LegalPage page="terms" />
export const SubscriptionAgreement = () => <LegalPage page="subscriptionagreement" />
export const ThirdPartyTerms = () => <LegalPage page="aditerms" />
