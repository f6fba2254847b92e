/**
 * The hash by which the program tells subtrees (pure): XXH3 of 64 bits, by its specification
 * (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). What it has remembered holds texts as such hashes only.
 */

const SECRET = bytesOf(
  "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c" +
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364" +
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e",
);
const LOW_32 = 0xffff_ffffn;
const PRIME32_1 = 0x9e37_79b1n;
const PRIME32_2 = 0x85eb_ca77n;
const PRIME32_3 = 0xc2b2_ae3dn;
const PRIME64_1 = 0x9e37_79b1_85eb_ca87n;
const PRIME64_2 = 0xc2b2_ae3d_27d4_eb4fn;
const PRIME64_3 = 0x1656_67b1_9e37_79f9n;
const PRIME64_4 = 0x85eb_ca77_c2b2_ae63n;
const PRIME64_5 = 0x27d4_eb2f_1656_67c5n;
const MIXING_1 = 0x1656_6791_9e37_79f9n;
const MIXING_2 = 0x9fb2_1c65_1e98_df25n;
const STRIPE = 64;
const STRIPES_IN_BLOCK = 16;

/** Words of the secret, by their place: they are read again and again. */
const WORDS = Array.from({ length: SECRET.byteLength - 7 }, (_, place) => SECRET.getBigUint64(place, true));
const SWAPPED = new DataView(new ArrayBuffer(8));

/**
 * @param {DataView} data
 * @param {number} length how many of its bytes, from the first on
 * @param {bigint} [seed]
 * @returns {bigint} of 64 bits
 */
export function hashOf(data, length, seed = 0n) {
  if (length <= 16) return ofFew(data, length, seed);
  if (length <= 128) return ofSome(data, length, seed);
  return length <= 240 ? ofMore(data, length, seed) : ofMany(data, length, seed);
}

/** @type {(data: DataView, length: number, seed: bigint) => bigint} */
function ofFew(data, length, seed) {
  if (length > 8) {
    const low = data.getBigUint64(0, true) ^ cut((WORDS[24] ^ WORDS[32]) + seed);
    const high = data.getBigUint64(length - 8, true) ^ cut((WORDS[40] ^ WORDS[48]) - seed);
    return mixed(cut(BigInt(length) + swapped(low) + high + folded(low, high)));
  }
  if (length > 3) {
    const [first, last] = [data.getUint32(0, true), data.getUint32(length - 4, true)];
    const flip = cut((WORDS[8] ^ WORDS[16]) - (seed ^ ((swapped(seed & LOW_32) >> 32n) << 32n)));
    return mixedStrongly((BigInt(last) + (BigInt(first) << 32n)) ^ flip, BigInt(length));
  }
  if (!length) return avalanche(seed ^ WORDS[56] ^ WORDS[64]);
  const [first, middle, last] = [data.getUint8(0), data.getUint8(length >> 1), data.getUint8(length - 1)];
  const combined = (BigInt(first) << 16n) | (BigInt(middle) << 24n) | BigInt(last) | (BigInt(length) << 8n);
  return avalanche(combined ^ cut(((WORDS[0] ^ (WORDS[0] >> 32n)) & LOW_32) + seed));
}

/** @type {(data: DataView, length: number, seed: bigint) => bigint} */
function ofSome(data, length, seed) {
  let sum = BigInt(length) * PRIME64_1;
  for (let pair = (length - 1) >> 5; pair >= 0; pair--) {
    sum += mixedPair(data, 16 * pair, 32 * pair, seed) + mixedPair(data, length - 16 * (pair + 1), 32 * pair + 16, seed);
  }
  return mixed(cut(sum));
}

/** @type {(data: DataView, length: number, seed: bigint) => bigint} */
function ofMore(data, length, seed) {
  let sum = BigInt(length) * PRIME64_1;
  for (let round = 0; round < 8; round++) sum += mixedPair(data, 16 * round, 16 * round, seed);
  sum = mixed(cut(sum));
  for (let round = 8; round < length >> 4; round++) sum += mixedPair(data, 16 * round, 16 * (round - 8) + 3, seed);
  return mixed(cut(sum + mixedPair(data, length - 16, 136 - 17, seed)));
}

/** @type {(data: DataView, length: number, seed: bigint) => bigint} */
function ofMany(data, length, seed) {
  const word = seed ? wordsOf(seeded(seed)) : (/** @type {number} */ place) => WORDS[place];
  const lanes = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1];
  const stripes = Math.floor((length - 1) / STRIPE);
  for (let stripe = 0; stripe < stripes; stripe++) {
    accumulate(lanes, data, STRIPE * stripe, word, 8 * (stripe % STRIPES_IN_BLOCK));
    if (stripe % STRIPES_IN_BLOCK === STRIPES_IN_BLOCK - 1) scramble(lanes, word);
  }
  accumulate(lanes, data, length - STRIPE, word, 121);
  let sum = BigInt(length) * PRIME64_1;
  for (let pair = 0; pair < 4; pair++) {
    sum += folded(lanes[2 * pair] ^ word(11 + 16 * pair), lanes[2 * pair + 1] ^ word(19 + 16 * pair));
  }
  return mixed(cut(sum));
}

/** @type {(lanes: bigint[], data: DataView, place: number, word: (place: number) => bigint, from: number) => void} */
function accumulate(lanes, data, place, word, from) {
  for (let lane = 0; lane < 8; lane++) {
    const value = data.getBigUint64(place + 8 * lane, true);
    const keyed = value ^ word(from + 8 * lane);
    lanes[lane ^ 1] = cut(lanes[lane ^ 1] + value);
    lanes[lane] = cut(lanes[lane] + (keyed & LOW_32) * (keyed >> 32n));
  }
}

/** @type {(lanes: bigint[], word: (place: number) => bigint) => void} */
function scramble(lanes, word) {
  for (let lane = 0; lane < 8; lane++) {
    lanes[lane] = cut((lanes[lane] ^ (lanes[lane] >> 47n) ^ word(128 + 8 * lane)) * PRIME32_1);
  }
}

/** @type {(seed: bigint) => DataView} the secret for long texts with a seed */
function seeded(seed) {
  const secret = new DataView(new ArrayBuffer(SECRET.byteLength));
  for (let place = 0; place < SECRET.byteLength; place += 16) {
    secret.setBigUint64(place, cut(WORDS[place] + seed), true);
    secret.setBigUint64(place + 8, cut(WORDS[place + 8] - seed), true);
  }
  return secret;
}

/** @type {(secret: DataView) => (place: number) => bigint} */
function wordsOf(secret) {
  return (place) => secret.getBigUint64(place, true);
}

/** @type {(data: DataView, place: number, from: number, seed: bigint) => bigint} 16 bytes with 16 of the secret */
function mixedPair(data, place, from, seed) {
  const low = data.getBigUint64(place, true) ^ cut(WORDS[from] + seed);
  const high = data.getBigUint64(place + 8, true) ^ cut(WORDS[from + 8] - seed);
  return folded(low, high);
}

/** @type {(one: bigint, other: bigint) => bigint} both halves of a product, one on the other */
function folded(one, other) {
  const product = one * other;
  return cut(product) ^ (product >> 64n);
}

/** @type {(hash: bigint) => bigint} */
function mixed(hash) {
  hash = cut((hash ^ (hash >> 37n)) * MIXING_1);
  return hash ^ (hash >> 32n);
}

/** @type {(hash: bigint, length: bigint) => bigint} */
function mixedStrongly(hash, length) {
  hash = cut((hash ^ turned(hash, 49n) ^ turned(hash, 24n)) * MIXING_2);
  hash = cut((hash ^ ((hash >> 35n) + length)) * MIXING_2);
  return hash ^ (hash >> 28n);
}

/** @type {(hash: bigint) => bigint} */
function avalanche(hash) {
  hash = cut((hash ^ (hash >> 33n)) * PRIME64_2);
  hash = cut((hash ^ (hash >> 29n)) * PRIME64_3);
  return hash ^ (hash >> 32n);
}

/** @type {(value: bigint, bits: bigint) => bigint} */
function turned(value, bits) {
  return cut(value << bits) | (value >> (64n - bits));
}

/** @type {(value: bigint) => bigint} the bytes in the other order */
function swapped(value) {
  SWAPPED.setBigUint64(0, value, true);
  return SWAPPED.getBigUint64(0);
}

/** @type {(value: bigint) => bigint} */
function cut(value) {
  return BigInt.asUintN(64, value);
}

/** @type {(digits: string) => DataView} */
function bytesOf(digits) {
  const pairs = digits.match(/../g) ?? [];
  return new DataView(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)).buffer);
}
