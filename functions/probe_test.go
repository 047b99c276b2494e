package functions
import ("testing";"time";"math";"fmt")
func TestProbe(t *testing.T){
 for _,n:=range []string{"gp-draw","gp-draw","gp-draw:2","gp-draw:2","michalewicz:2","michalewicz:100","michalewicz:1000","ackley:1000"}{
  s:=time.Now(); Find(n,7); fmt.Println(n,time.Since(s)) }
 // factor accuracy
 f:=drawFactor(); worst:=0.0
 for i:=0;i<1000;i+=7{for j:=0;j<1000;j+=11{ s:=0.0; for k:=range drawRank{s+=f.At(i,k)*f.At(j,k)}
  worst=max(worst,math.Abs(s-drawCovariance(float64(i-j)/999)))}}
 fmt.Println("factor err",worst)
 // michalewicz per term against peaks
 bad:=0; wg:=0.0; first:=-1
 for i:=range 1000{ best:=0.0
  for k:=0;k<=i;k++{ lo,hi:=math.Pi*math.Sqrt(float64(k)/float64(i+1)),math.Pi*math.Sqrt(float64(k+1)/float64(i+1))
   if math.Abs((lo+hi)/2-math.Pi/2)>0.8 {continue}
   v:=minimum(lo,hi,func(v float64)float64{return michalewiczTerm(i,v)}); best=min(best,michalewiczTerm(i,v))}
  if g:=michalewiczTerm(i,michalewiczPlace(i))-best; g>1e-12{bad++; wg=max(wg,g); if first<0{first=i}}}
 fmt.Println("michalewicz bad terms",bad,"worst",wg,"first",first)
 // 2-D draws: dense grid
 miss:=0
 for s:=range 30{ p,_:=Find("gp-draw:2",uint64(s)); m:=math.Inf(1)
  for i:=range 201{for j:=range 201{ m=min(m,p.Func([]float64{float64(i)/200,float64(j)/200})[0])}}
  if m<p.Optimum.Value-1e-9{miss++; fmt.Println("seed",s,m-p.Optimum.Value)}}
 fmt.Println("2-D misses",miss,"of 30")
}
