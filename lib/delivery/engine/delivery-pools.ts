import { once, setOnce } from '@/lib/platform/globals';
import { addressPolicy } from '@/lib/platform/net/address-policy';
import { HttpPools } from '@/lib/platform/net/http-pools';
import { systemResolver } from '@/lib/platform/net/resolve-host';
import { isOwnAddress, ownTunnels } from './own-service';

const NAME = 'delivery-pools';

/** Returns the connections of this process to receivers, under the address policy of the deployment. */
export function deliveryPools(): HttpPools {
  return once(NAME, makeDeliveryPools);
}

/** Makes connections to receivers, under the address policy of the deployment. */
export function makeDeliveryPools(): HttpPools {
  const isOwn = (address: string, port: number) => isOwnAddress(address, port);
  return new HttpPools({ isAllowed: addressPolicy(), isOwn, exemption: ownTunnels(), resolve: systemResolver() });
}

/** Closes the connections of this process to receivers. For shutdown and tests. */
export async function closeDeliveryPools(): Promise<void> {
  const pools = once<HttpPools | null>(NAME, () => null);
  setOnce(NAME, undefined);
  await pools?.destroy();
}
