// Equivalent country codes (language reference 12b.6.1).
#include "internal.h"

#include <string.h>

// ISO 3166-1: two letters, three letters, number; then the IOC code where it differs. BRN is Bahrain (IOC)
// and Brunei (ISO); the first entry is taken.
static const char countries[] =
    ", "
    "ad and 020, ae are 784 uae, af afg 004, ag atg 028 ant, ai aia 660, al alb 008, am arm 051, "
    "ao ago 024 ang, aq ata 010, ar arg 032, as asm 016 asa, at aut 040, au aus 036, aw abw 533 aru, "
    "ax ala 248, az aze 031, ba bih 070, bb brb 052 bar, bd bgd 050 ban, be bel 056, bf bfa 854 bur, "
    "bg bgr 100 bul, bh bhr 048 brn, bi bdi 108, bj ben 204, bl blm 652, bm bmu 060 ber, "
    "bn brn 096 bru, bo bol 068, bq bes 535, br bra 076, bs bhs 044 bah, bt btn 064 bhu, bv bvt 074, "
    "bw bwa 072 bot, by blr 112, bz blz 084 biz, ca can 124, cc cck 166, cd cod 180, cf caf 140, "
    "cg cog 178 cgo, ch che 756 sui, ci civ 384, ck cok 184, cl chl 152 chi, cm cmr 120, cn chn 156, "
    "co col 170, cr cri 188 crc, cu cub 192, cv cpv 132, cw cuw 531, cx cxr 162, cy cyp 196, "
    "cz cze 203, de deu 276 ger, dj dji 262, dk dnk 208 den, dm dma 212, do dom 214, dz dza 012 alg, "
    "ec ecu 218, ee est 233, eg egy 818, eh esh 732, er eri 232, es esp 724, et eth 231, fi fin 246, "
    "fj fji 242 fij, fk flk 238, fm fsm 583, fo fro 234, fr fra 250, ga gab 266, gb gbr 826, "
    "gd grd 308 grn, ge geo 268, gf guf 254, gg ggy 831, gh gha 288, gi gib 292, gl grl 304, "
    "gm gmb 270 gam, gn gin 324 gui, gp glp 312, gq gnq 226 geq, gr grc 300 gre, gs sgs 239, "
    "gt gtm 320 gua, gu gum 316, gw gnb 624 gbs, gy guy 328, hk hkg 344, hm hmd 334, hn hnd 340 hon, "
    "hr hrv 191 cro, ht hti 332 hai, hu hun 348, id idn 360 ina, ie irl 372, il isr 376, im imn 833, "
    "in ind 356, io iot 086, iq irq 368, ir irn 364 iri, is isl 352, it ita 380, je jey 832, "
    "jm jam 388, jo jor 400, jp jpn 392, ke ken 404, kg kgz 417, kh khm 116 cam, ki kir 296, "
    "km com 174, kn kna 659 skn, kp prk 408, kr kor 410, kw kwt 414 kuw, ky cym 136 cay, kz kaz 398, "
    "la lao 418, lb lbn 422 lib, lc lca 662, li lie 438, lk lka 144 sri, lr lbr 430, ls lso 426 les, "
    "lt ltu 440, lu lux 442, lv lva 428 lat, ly lby 434 lba, ma mar 504, mc mco 492 mon, md mda 498, "
    "me mne 499, mf maf 663, mg mdg 450 mad, mh mhl 584, mk mkd 807, ml mli 466, mm mmr 104 mya, "
    "mn mng 496 mgl, mo mac 446, mp mnp 580, mq mtq 474, mr mrt 478 mtn, ms msr 500, mt mlt 470, "
    "mu mus 480 mri, mv mdv 462, mw mwi 454 maw, mx mex 484, my mys 458 mas, mz moz 508, na nam 516, "
    "nc ncl 540, ne ner 562 nig, nf nfk 574, ng nga 566 ngr, ni nic 558 nca, nl nld 528 ned, "
    "no nor 578, np npl 524 nep, nr nru 520, nu niu 570, nz nzl 554, om omn 512 oma, pa pan 591, "
    "pe per 604, pf pyf 258, pg png 598, ph phl 608 phi, pk pak 586, pl pol 616, pm spm 666, "
    "pn pcn 612, pr pri 630 pur, ps pse 275 ple, pt prt 620 por, pw plw 585, py pry 600 par, "
    "qa qat 634, re reu 638, ro rou 642, rs srb 688, ru rus 643, rw rwa 646, sa sau 682 ksa, "
    "sb slb 090 sol, sc syc 690 sey, sd sdn 729 sud, se swe 752, sg sgp 702 sin, sh shn 654, "
    "si svn 705 slo, sj sjm 744, sk svk 703, sl sle 694, sm smr 674, sn sen 686, so som 706, "
    "sr sur 740, ss ssd 728, st stp 678, sv slv 222 esa, sx sxm 534, sy syr 760, sz swz 748, "
    "tc tca 796, td tcd 148 cha, tf atf 260, tg tgo 768 tog, th tha 764, tj tjk 762, tk tkl 772, "
    "tl tls 626, tm tkm 795, tn tun 788, to ton 776 tga, tr tur 792, tt tto 780 tri, tv tuv 798, "
    "tw twn 158 tpe, tz tza 834 tan, ua ukr 804, ug uga 800, um umi 581, us usa 840, uy ury 858 uru, "
    "uz uzb 860, va vat 336, vc vct 670 vin, ve ven 862, vg vgb 092 ivb, vi vir 850 isv, "
    "vn vnm 704 vie, vu vut 548 van, wf wlf 876, ws wsm 882 sam, ye yem 887, yt myt 175, "
    "za zaf 710 rsa, zm zmb 894 zam, zw zwe 716 zim, ";

const char *cql3_country(Cql3 *c, const char *code, char separator)
{
    for (const char *at = countries; (at = strstr(at, code)) != NULL; at++) {
        const char after = at[strlen(code)];
        if (at[-1] != ' ' || (after != ' ' && after != ','))
            continue;
        while (at[-2] != ',')
            at--;
        char *codes = arena_copy(c->arena, at, strcspn(at, ","));
        for (char *p = codes; *p != '\0'; p++)
            *p = *p == ' ' ? separator : *p;
        return codes;
    }
    return code;
}
